"""The page of the public functions, made of their signatures and docstrings."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import surefoot
from surefoot.reference.markdown import code, literal

_HEAD = """# Functions

`import surefoot` has these functions. `help(surefoot.aggregates)` says the same of one of them. The page
[Surefoot in a notebook](library.md) shows how they work together, and [Methods](../reports/methods.qmd) has the formula
behind each question. A question answers with a result: `table()`, `notes()`, and often `chart()` and `finding()`."""
_HEADING = re.compile(r"^(Parameters|Returns|Raises)\n-+\n", re.MULTILINE)
_WIDTH = 100


def functions_page() -> str:
    """The page, as Markdown."""
    readers = sorted(surefoot._READERS)
    questions = sorted(set(surefoot.__all__) - set(readers))
    parts = [_HEAD, "## Reading and preparing runs", *map(_function, readers)]
    parts.append("## Questions")
    for name in questions:
        parts += [_function(name), f"[Formula, assumptions and guarantee](../reports/methods.qmd#sec-question-{name})"]
    return "\n\n".join(parts) + "\n"


def _function(name: str) -> str:
    function = getattr(surefoot, name)
    text, *sections = _HEADING.split(inspect.cleandoc(function.__doc__ or ""))
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    last = list(told)[-1]
    told[last], _, source = told[last].partition("\nSource: ")
    parts = [f"### {name}", f"```text\n{_call(name, function)}\n```", *map(literal, _paragraphs(text))]
    types = inspect.signature(function).parameters
    parts.append("\n".join(_parameter(entry, types) for entry in _entries(told["Parameters"])))
    parts.append(f"*Returns:* {literal(told['Returns'])}")
    if "Raises" in told:
        parts.append(f"*Raises:* {literal(told['Raises'])}")
    if source:
        parts.append(f"*Source:* {literal(source)}")
    return "\n\n".join(parts)


def _call(name: str, function: Callable[..., Any]) -> str:
    """The function with its arguments and defaults, one a line where they do not fit into one."""
    arguments = [
        str(parameter.replace(annotation=parameter.empty))
        for parameter in inspect.signature(function).parameters.values()
    ]
    line = f"surefoot.{name}({', '.join(arguments)})"
    return line if len(line) <= _WIDTH else f"surefoot.{name}(\n    " + ",\n    ".join(arguments) + ",\n)"


def _paragraphs(text: str) -> list[str]:
    return [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]


def _entries(section: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each parameter; lines that are indented go on with the one before."""
    for entry in re.split(r"\n(?=\S)", section.strip()):
        name, _, text = entry.partition(" : ")
        yield name, text


def _parameter(entry: tuple[str, str], types: Any) -> str:
    names, text = entry
    shown = ", ".join(code(name) for name in names.split(", "))
    annotation = types[names].annotation if names in types else inspect.Parameter.empty
    kind = "" if annotation is inspect.Parameter.empty else f" ({code(_type(annotation))})"
    return f"- {shown}{kind}: {literal(text)}"


def _type(annotation: Any) -> str:
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(typing|pathlib|collections\.abc|pandas|pd|surefoot(\.\w+)*)\.", "", written).replace("|", "or")
