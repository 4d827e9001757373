"""The page of the public functions, made of their signatures and docstrings."""

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import surefoot
from surefoot.questions.registry import questions
from surefoot.questions.types import Grid
from surefoot.reference.markdown import code, literal

_HEAD = """# Functions

`import surefoot` has these functions; `help(surefoot.aggregates)` prints the same about one of them.
[Surefoot in a notebook](library.md) shows how they work together. The functions that read and prepare runs return
tables. Each question returns a result with the methods `table()` and `notes()`, and often `chart()` and `finding()`."""
_QUESTIONS = """## Questions

Every question takes runs and, by keyword, its own arguments. [Methods](../reports/methods.qmd) has their formulas."""
_SHOWN = ("Parameters", "Returns", "Raises")
_HEADING = re.compile(r"^(Parameters|Returns|Raises|Notes|References|Examples)\n-+\n", re.MULTILINE)
_WIDTH = 80
"""Of a line of code, which the narrowest screen of a desktop shows whole."""


def functions_page() -> str:
    """The page, as Markdown."""
    asked = [name for name in surefoot.__all__ if name in questions()]
    readers = [name for name in surefoot.__all__ if name not in asked]
    overview = "\n".join(f"- [{name}](#{name}): {literal(_first_sentence(name))}" for name in asked)
    parts = [_HEAD, "## Reading and preparing runs", *map(_function, readers), _QUESTIONS, overview]
    return "\n\n".join([*parts, "## Questions one by one", *map(_function, asked)]) + "\n"


def _first_sentence(name: str) -> str:
    return (inspect.getdoc(getattr(surefoot, name)) or "").partition("\n\n")[0].removesuffix(".")


def _function(name: str) -> str:
    """The section of a function: its call with the defaults, and what its docstring says."""
    function = getattr(surefoot, name)
    parameters = inspect.signature(function).parameters
    plain = inspect.Signature([parameter.replace(annotation=parameter.empty) for parameter in parameters.values()])
    call = textwrap.fill(
        f"surefoot.{name}{plain}", _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    text, *sections = _HEADING.split(inspect.getdoc(function) or "")
    parts = [f"### {name}\n\n```text\n{call}\n```", *_blocks(text, parameters)]
    for title, section in zip(sections[::2], sections[1::2], strict=True):
        if title in _SHOWN:
            parts += [f"*{title}*", *_blocks(section, parameters)]
    if name in questions():
        parts.append(f"[Formula, assumptions and guarantee](../reports/methods.qmd#sec-question-{name})")
    return "\n\n".join(parts)


def _blocks(section: str, parameters: Mapping[str, inspect.Parameter]) -> Iterator[str]:
    """Paragraphs as Markdown; one whose lines each name something and say what it is becomes a list."""
    for paragraph in filter(None, re.split(r"\n\n+", section.strip())):
        entries = [re.split(r" : |\n +", entry, maxsplit=1) for entry in re.split(r"\n(?=\S)", paragraph)]
        if all(len(entry) == 2 for entry in entries):
            yield "\n".join(f"- {_named(name, parameters)}: {literal(text)}" for name, text in entries)
        else:
            yield literal(paragraph)


def _named(names: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    """Names as code, with the type of a parameter."""
    shown = ", ".join(code(name) for name in names.split(", "))
    annotation = parameters[names].annotation if names in parameters else inspect.Parameter.empty
    return shown if annotation is inspect.Parameter.empty else f"{shown} ({code(_type(annotation))})"


def _type(annotation: Any) -> str:
    """A type as documentation of NumPy and SciPy writes it."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation is Grid:
        return "dict"
    if origin is Literal:
        return f"{{{', '.join(map(repr, parts))}}}"
    if origin in (Sequence, tuple):
        return f"sequence of {_type(parts[0])}"
    if origin in (Union, UnionType):
        return " or ".join(map(_type, parts))
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    plain = re.sub(r"\b(typing|pathlib|collections\.abc|pandas|pd|surefoot(\.\w+)*)\.", "", written)
    return re.sub(r"\bSequence\[(\w+)\]", r"sequence of \1", plain).replace("|", "or").replace("NoneType", "None")
