"""The page of the public functions, made of their signatures and docstrings."""

import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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

Every question takes runs and, by keyword, its own arguments and those that
[all questions share](#arguments-of-all-questions). [Methods](../reports/methods.qmd) has the formula of each."""
_SHARED = "## Arguments of all questions"
_ONE_BY_ONE = "## Questions one by one"
_SHARED_BY = 4
"""Questions that have an argument with the same meaning from which on it is described once for all."""
_ARGUMENTS = "*Arguments:*"
_HEADING = re.compile(r"^(Parameters|Returns|Raises|Notes|References|Examples)\n-+\n", re.MULTILINE)
_WIDTH = 80
"""Of a line of code, which the narrowest screen of a desktop shows whole."""


def functions_page() -> str:
    """The page, as Markdown."""
    asked = [name for name in surefoot.__all__ if name in questions()]
    readers = [name for name in surefoot.__all__ if name not in asked]
    shared = _shared(asked)
    parts = [_HEAD, "## Reading and preparing runs", *map(_reader, readers), _QUESTIONS, _overview(asked)]
    parts += [_SHARED, "\n".join(_parameter(entry, {}) for entry in shared), _ONE_BY_ONE]
    return "\n\n".join([*parts, *(_question(name, shared) for name in asked)]) + "\n"


def _overview(asked: list[str]) -> str:
    """The questions, each with the sentence that says what it answers."""
    return "\n".join(f"- [{name}](#{name}): {literal(_parts_of(name)[0][0]).removesuffix('.')}" for name in asked)


def _shared(asked: list[str]) -> list[tuple[str, str]]:
    """Arguments, with what they mean, that several questions have, besides the runs."""
    counted = Counter(entry for name in asked for entry in _arguments(name))
    return [entry for entry, count in counted.most_common() if count >= _SHARED_BY and entry[0] != "runs"]


def _arguments(name: str) -> list[tuple[str, str]]:
    return [(argument, " ".join(text.split())) for argument, text in _entries(_parts_of(name)[1]["Parameters"])]


def _reader(name: str) -> str:
    about, told, source = _parts_of(name)
    function = getattr(surefoot, name)
    types = inspect.signature(function).parameters
    entries = [_parameter(entry, types) for entry in _entries(told["Parameters"])]
    parts = [_opening(name, function), *_paragraphs(about), _ARGUMENTS, "\n".join(entries), *_ending(told)]
    return "\n\n".join([*parts, f"*Source:* {literal(source)}"] if source else parts)


def _question(name: str, shared: list[tuple[str, str]]) -> str:
    about, told, _ = _parts_of(name)
    function = getattr(surefoot, name)
    types = inspect.signature(function).parameters
    entries = [_parameter(entry, types) for entry in _arguments(name) if entry not in shared]
    methods = f"[Formula, assumptions and guarantee](../reports/methods.qmd#sec-question-{name})"
    return "\n\n".join(
        [_opening(name, function), *_paragraphs(about), _ARGUMENTS, "\n".join(entries), *_ending(told), methods]
    )


def _parts_of(name: str) -> tuple[list[str], dict[str, str], str]:
    """The paragraphs of a docstring, its sections by title, and its source."""
    text, *sections = _HEADING.split(inspect.cleandoc(getattr(surefoot, name).__doc__ or ""))
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    last = [section for section in told if section in ("Parameters", "Returns", "Raises")][-1]
    told[last], _, source = told[last].partition("\nSource: ")
    return [paragraph for paragraph in text.split("\n\n") if paragraph.strip()], told, source


def _opening(name: str, function: Callable[..., Any]) -> str:
    """The heading, and the function with its arguments and defaults."""
    parameters = inspect.signature(function).parameters.values()
    plain = inspect.Signature([parameter.replace(annotation=parameter.empty) for parameter in parameters])
    call = textwrap.fill(
        f"surefoot.{name}{plain}", _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return f"### {name}\n\n```text\n{call}\n```"


def _paragraphs(paragraphs: list[str]) -> Iterator[str]:
    """Paragraphs; one whose lines each name something and say what it is becomes a list."""
    for paragraph in paragraphs:
        entries = list(_entries(paragraph))
        if len(entries) > 1 and all(text for _, text in entries):
            yield "\n".join(f"- {code(name)}: {literal(text)}" for name, text in entries)
        else:
            yield literal(paragraph)


def _ending(told: dict[str, str]) -> Iterator[str]:
    first, *rest = re.split(r"\n\n+", told["Returns"].strip())
    named, _, below = first.partition("\n")
    if below.startswith(" "):  # the type, and what it is
        first = f"`{named}`. {inspect.cleandoc(below)}"
    yield f"*Returns:* {literal(first)}"
    yield from _paragraphs(rest)
    for name, text in _entries(told.get("Raises", "")):
        yield f"*Raises* {code(name)}: {literal(text)}"


def _entries(section: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each entry; the text follows a colon, or is indented below the name."""
    for entry in filter(None, re.split(r"\n(?=\S)", section.strip())):
        name, _, text = entry.partition("\n" if re.match(r"\w+\n", entry) else " : ")
        yield name, text


def _parameter(entry: tuple[str, str], types: Mapping[str, inspect.Parameter]) -> str:
    names, text = entry
    shown = ", ".join(code(name) for name in names.split(", "))
    annotation = types[names].annotation if names in types else inspect.Parameter.empty
    kind = "" if annotation is inspect.Parameter.empty else f" ({code(_type(annotation))})"
    return f"- {shown}{kind}: {literal(text)}"


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
