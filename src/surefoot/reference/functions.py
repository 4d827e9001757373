"""The page of the public functions, made of their signatures and docstrings."""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import surefoot
from surefoot.questions.arguments import argument_fields
from surefoot.questions.documentation import RUNS, needed, takes_several_sets
from surefoot.questions.settings import Grid, SharedSettings
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
_KINDS_OF_RUNS = "The entry of each question says which of these its `runs` are:"
_ARGUMENTS = "*Arguments:*"
_HEADING = re.compile(r"^(Parameters|Returns|Raises)\n-+\n", re.MULTILINE)
_WIDTH = 80
"""Of a line of code, which the narrowest screen of a desktop shows whole."""


def functions_page() -> str:
    """The page, as Markdown."""
    readers = sorted(surefoot._READERS)
    questions = sorted(set(surefoot.__all__) - set(readers))
    parts = [_HEAD, "## Reading and preparing runs", *map(_reader, readers)]
    parts += [_QUESTIONS, _overview(questions), _SHARED, _shared(), _KINDS_OF_RUNS, _kinds_of_runs(), _ONE_BY_ONE]
    return "\n\n".join([*parts, *map(_question, questions)]) + "\n"


def _overview(questions: list[str]) -> str:
    """The questions, each with the sentence that says what it answers."""
    return "\n".join(f"- [{name}](#{name}): {literal(_parts_of(name)[0][0]).removesuffix('.')}" for name in questions)


def _shared() -> str:
    fields = SharedSettings.model_fields.items()
    return "\n".join(
        f"- {code(name)} ({code(_type(field.annotation))}; by default {code(str(field.default))}): "
        f"{literal(field.description or '')}"
        for name, field in fields
    )


def _kinds_of_runs() -> str:
    return "\n".join(f"- *{_kind_of_runs(name)}*: {literal(text)}." for name, text in RUNS.items())


def _kind_of_runs(name: str) -> str:
    return {"runs": "raw scores"}.get(name, name.replace("_", " "))


def _reader(name: str) -> str:
    about, told, source = _parts_of(name)
    function = getattr(surefoot, name)
    types = inspect.signature(function).parameters
    entries = [_parameter(entry, types) for entry in _entries(told["Parameters"])]
    parts = [_opening(name, function), *_paragraphs(about), _ARGUMENTS, "\n".join(entries), *_ending(told)]
    return "\n\n".join([*parts, f"*Source:* {literal(source)}"] if source else parts)


def _question(name: str) -> str:
    about, told, _ = _parts_of(name)
    function = getattr(surefoot, name)
    types = inspect.signature(function).parameters
    several = "; or several sets of them by name, `{name: runs}`" if takes_several_sets(name) else ""
    entries = [f"- `runs`: {_kind_of_runs(needed(name))}{several}"]
    entries += [
        _parameter(entry, types)
        for entry in _entries(told["Parameters"])
        if entry[0] != "runs" and not _is_shared(name, entry[0])
    ]
    methods = f"[Formula, assumptions and guarantee](../reports/methods.qmd#sec-question-{name})"
    return "\n\n".join(
        [_opening(name, function), *_paragraphs(about), _ARGUMENTS, "\n".join(entries), *_ending(told), methods]
    )


def _is_shared(question: str, argument: str) -> bool:
    """Whether an argument is the one that all questions have, with the same default."""
    shared = SharedSettings.model_fields.get(argument)
    own = argument_fields(question).get(argument)
    if own is None:  # steps
        return False
    return shared is not None and (own.description, own.default) == (shared.description, shared.default)


def _parts_of(name: str) -> tuple[list[str], dict[str, str], str]:
    """The paragraphs of a docstring, its sections by title, and its source."""
    text, *sections = _HEADING.split(inspect.cleandoc(getattr(surefoot, name).__doc__ or ""))
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    last = list(told)[-1]
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
    yield f"*Returns:* {literal(first)}"
    yield from _paragraphs(rest)
    for name, text in _entries(told.get("Raises", "")):
        yield f"*Raises* {code(name)}: {literal(text)}"


def _entries(section: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each entry; the text follows a colon, or is indented below the name."""
    for entry in filter(None, re.split(r"\n(?=\S)", section.strip())):
        name, _, text = entry.partition("\n" if re.match(r"\w+\n", entry) else " : ")
        yield name, text


def _parameter(entry: tuple[str, str], types: Any) -> str:
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
    if origin is tuple and parts[-1] is Ellipsis:
        return f"sequence of {_type(parts[0])}"
    if origin in (Union, UnionType):
        return " or ".join(map(_type, parts))
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    plain = re.sub(r"\b(typing|pathlib|collections\.abc|pandas|pd|surefoot(\.\w+)*)\.", "", written)
    return re.sub(r"\bSequence\[(\w+)\]", r"sequence of \1", plain).replace("|", "or").replace("NoneType", "None")
