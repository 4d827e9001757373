"""Generated files: the schema of the configuration, and the reference pages in docs/.

They are derived from docstrings, schemas and parsers. `surefoot schemas` writes them, and tests check that they are up
to date.
"""

import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import surefoot
from surefoot.cli.commands import SHOWN, parsers
from surefoot.questions._framework.question_registry import questions
from surefoot.reporting.descriptions import FAMILIES
from surefoot.workflow.configuration.models import SCHEMA_PATH, schema
from surefoot.workflow.files import canonical_json, write_whole
from surefoot.workflow.project import DOCS, check_checkout

_COLUMNS = {"COLUMNS": "82", "NO_COLOR": "1"}
_PARTS = {"sources": "Sources", "scales": "Scales", "questions": "Questions"}
_SIMULATED = ("hyperparameter_grid", "plays", "random_policies", "same_hyperparameters", "trials")
"""Sources that simulate runs."""
_TYPES = {"integer": "whole number", "array": "list", "object": "mapping", "string": "text", "boolean": "true or false"}
_BOUNDS = {"minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}", "exclusiveMaximum": "< {}"}
_GREATEST_SHOWN = 10**8
"""Bounds above this only catch mistakes and are not shown."""
_SHOWN = ("Parameters", "Returns", "Raises")
_HEADING = re.compile(r"^(Parameters|Returns|Raises|Notes|References|Examples)\n-+\n", re.MULTILINE)
_TYPE = re.compile(r"(?<=\w) : .*(?=\n +)")
"""Type of a parameter or result in a docstring, which the page replaces by the type in the signature."""
_WIDTH = 80
"""Width of a line of code in characters that fits narrow desktop screens."""
_LONG = 150
"""Length, in characters, above which a description is not repeated for each kind that has the same key."""
_MARKUP = re.compile(r"([\\`*<>\[\]{}$@|~^#]|(?<![^\W_])_|_(?![^\W_])|-(?=-)|(?<=-)-)")


def schemas() -> int:
    """Write the schema of the configuration and the reference pages, and return the exit status."""
    check_checkout("surefoot schemas")
    for path, text in made_of_the_code().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        print(path)
    return 0


def made_of_the_code() -> dict[Path, str]:
    """Return the expected contents of the generated files, by path.

    The text before the first section of a page with several sections is hand-written.
    """
    headed = {"commands": commands_page(), "functions": functions_list()} | configuration_pages(schema())
    heads = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8").partition("\n## ")[0] for name in headed}
    pages = {name: f"{heads[name]}\n{text}" for name, text in headed.items()} | functions_pages()
    return {SCHEMA_PATH: canonical_json(schema())} | {DOCS / f"{name}.md": text for name, text in pages.items()}


def commands_page() -> str:
    """Return the sections of the page about the commands, as Markdown."""
    whole, commands = parsers()
    with patch.dict(os.environ, _COLUMNS):  # otherwise the width of the help depends on the terminal
        helps = [parser.format_help().strip() for parser in (whole, *(commands[name] for name in SHOWN))]
    titles = ["surefoot", *(f"surefoot {name}" for name in SHOWN)]
    return "\n\n".join(f"## {title}\n\n```text\n{text}\n```" for title, text in zip(titles, helps, strict=True)) + "\n"


def configuration_pages(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the sections of the pages of the configuration, as {page: Markdown}.

    Sources that simulate runs, and questions without a public function, are on a separate page.

    Parameters
    ----------
    schema : schema of the whole configuration
    """
    models = schema["$defs"]
    top = {name: key for name, key in schema["properties"].items() if name != "studies"}
    study = {name: key for name, key in models["Study"]["properties"].items() if name not in _PARTS}
    written = ["## Top-level keys", _keys(_resolved(top, models)), "## A study", _keys(_resolved(study, models))]
    simulated: list[str] = []
    public = {name for family in FAMILIES.values() for name in family["functions"]}
    for name, title in _PARTS.items():
        kinds = models[name.removesuffix("s").capitalize()]["discriminator"]["mapping"]
        resolved = {kind: _resolved({"$ref": kinds[kind]}, models) for kind in kinds}
        if name == "questions":
            functions = {kind: model for kind, model in resolved.items() if kind in public}
            written += [f"## {title}", *_questions(functions)]
            simulated += [f"## {title}", *_sections({kind: resolved[kind] for kind in resolved if kind not in public})]
        else:
            apart = {kind: model for kind, model in resolved.items() if kind in _SIMULATED}
            written += [f"## {title}", *_sections({kind: resolved[kind] for kind in resolved if kind not in apart})]
            simulated += [f"## {title}", *_sections(apart)] if apart else []
    pages = {"configuration": written, "configuration_simulations": simulated}
    return {name: "\n\n".join(parts) + "\n" for name, parts in pages.items()}


def _resolved(part: Any, models: Mapping[str, Any]) -> Any:
    """Return a part of the schema with its references resolved, and with null removed from the allowed types."""
    if isinstance(part, list):
        return [_resolved(each, models) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        part = models[part["$ref"].rpartition("/")[2]] | {key: part[key] for key in part if key != "$ref"}
    allowed = [each for each in part.get("anyOf", ()) if each != {"type": "null"}]
    if len(allowed) == 1:
        own = {key: value for key, value in part.items() if key != "anyOf"}
        return _resolved(allowed[0], models) | _resolved(own, models)
    return {key: _resolved(value, models) for key, value in part.items()}


def _questions(models: Mapping[str, Any]) -> Iterator[str]:
    """Yield paragraphs on the questions with a public function, grouped by their keys that are not arguments."""
    yield (
        "A question has the arguments of its function as keys, which [functions](functions.md) describes. In addition, "
        "it has these keys:"
    )
    groups: dict[str, list[str]] = {}
    for page, family in FAMILIES.items():
        for name in filter(models.__contains__, family["functions"]):
            arguments = inspect.signature(getattr(surefoot, name)).parameters
            keys = {key: value for key, value in models[name]["properties"].items() if key not in {*arguments, "kind"}}
            groups.setdefault(_keys(keys), []).append(f"[{name}]({page}.md#{name})")
    for paragraph, names in groups.items():
        yield f"{', '.join(names)}:"
        yield paragraph


def _sections(models: Mapping[str, Any]) -> Iterator[str]:
    """Yield the section of each kind of source, scale or question, from its schema."""
    described: dict[str, str] = {}
    for name, model in models.items():
        about = [literal(paragraph) for paragraph in model.get("description", "").split("\n\n")]
        keys = {key: value for key, value in model["properties"].items() if key != "kind"}
        listed = [_without_repeats(_keys(keys), name, described, lambda entry: len(entry) <= _LONG)] if keys else []
        yield "\n\n".join([f"### {name}", *about, *listed])


def _keys(properties: Mapping[str, Any]) -> str:
    """Return a list of keys, with nested keys below each mapping."""
    lines = []
    for name, model in properties.items():
        lines.append(f"- {_key(name, model)}")
        lines += [f"    - {_key(key, value)}" for key, value in model.get("properties", {}).items()]
    return "\n".join(lines)


def _key(name: str, model: Mapping[str, Any]) -> str:
    default = _default(model)
    values = f"{_allowed(model)}{f'; by default {default}' if default else ''}"
    return f"{code(name)} ({values}): {literal(model.get('description', ''))}"


def _allowed(model: Mapping[str, Any]) -> str:
    if "anyOf" in model:
        return " or ".join(dict.fromkeys(_allowed(each) for each in model["anyOf"] if each != {"type": "null"}))
    if "const" in model:
        return _value(model["const"])
    if "enum" in model:
        return ", ".join(_value(value) for value in model["enum"] if value is not None)
    types = [model["type"]] if isinstance(model.get("type"), str) else model.get("type", ["anything"])
    words = [_TYPES.get(kind, kind) for kind in types if kind != "null"]
    if words == ["list"] and model.get("items"):
        return f"list of {_allowed(model['items'])}"
    bounds = [
        text.format(f"{model[key]:,}")
        for key, text in _BOUNDS.items()
        if key in model and abs(model[key]) < _GREATEST_SHOWN
    ]
    return " or ".join(words) + (f" {' and '.join(bounds)}" if bounds else "")


def _default(model: Mapping[str, Any]) -> str:
    if model.get("default") is None or "properties" in model:
        return ""
    default = model["default"]
    if isinstance(default, list):
        return ", ".join(map(_value, default)) or "none"
    return "none" if default == {} else _value(default)


def _value(value: Any) -> str:
    """Format a value as in YAML."""
    if isinstance(value, bool):
        return code(str(value).lower())
    if isinstance(value, dict):
        return code("{" + ", ".join(f"{key}: {one}" for key, one in value.items()) + "}")
    return code(str(value)) if value != "" else '`""`'


def functions_list() -> str:
    """List the functions of each family with their first sentences, as Markdown."""
    sections = []
    for page, family in FAMILIES.items():
        about = {name: inspect.getdoc(getattr(surefoot, name)) or "" for name in family["functions"]}
        firsts = {name: text.partition("\n\n")[0].removesuffix(".") for name, text in about.items()}
        rows = [f"- [{name}]({page}.md#{name}): {literal(first)}" for name, first in firsts.items()]
        sections.append("\n".join([f"## {family['title']}\n", *rows]))
    return "\n\n".join(sections) + "\n"


def functions_pages() -> dict[str, str]:
    """Return the page of each family of functions, as Markdown, by name."""
    pages = {}
    for page, family in FAMILIES.items():
        described: dict[str, str] = {}
        sections = [_function(name, described) for name in family["functions"]]
        pages[page] = "\n\n".join([f"# {family['title']}", *sections]) + "\n"
    return pages


def _function(name: str, described: dict[str, str]) -> str:
    """Return the section of a function: its signature, an example, and the rest of its docstring.

    described : for each description of a parameter, the first function on the page that has it; updated in place
    """
    function = getattr(surefoot, name)
    parameters = inspect.signature(function).parameters
    plain = inspect.Signature([parameter.replace(annotation=parameter.empty) for parameter in parameters.values()])
    call = textwrap.fill(
        f"surefoot.{name}{plain}", _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    text, *parted = _HEADING.split(inspect.getdoc(function) or "")
    sections = dict(zip(parted[::2], parted[1::2], strict=True))
    parts = [f"## {name}\n\n```text\n{call}\n```", *_blocks(text, parameters)]
    if "Examples" in sections:
        parts.append(f"```python\n{sections['Examples'].strip()}\n```")
    for title in _SHOWN:
        if title in sections:
            blocks = list(_blocks(_TYPE.sub("", sections[title]), parameters))
            if title == "Parameters":
                blocks = [_without_repeats(block, name, described, _is_of_runs) for block in blocks]
            parts += [f"*{title}*", *blocks]
    if name in questions():
        parts.append(f"[Formula, assumptions and guarantee](../reports/methods.qmd#sec-question-{name})")
    return "\n\n".join(parts)


def _blocks(section: str, parameters: Mapping[str, inspect.Parameter]) -> Iterator[str]:
    """Yield paragraphs as Markdown; a paragraph of names with their descriptions becomes a list."""
    for paragraph in filter(None, re.split(r"\n\n+", section.strip())):
        entries = [re.split(r" : |\n +", entry, maxsplit=1) for entry in re.split(r"\n(?=\S)", paragraph)]
        if all(len(entry) == 2 for entry in entries):
            yield "\n".join(f"- {_named(name, parameters)}: {literal(text)}" for name, text in entries)
        else:
            yield literal(paragraph)


def _is_of_runs(entry: str) -> bool:
    return entry.startswith("- `runs`")


def _without_repeats(text: str, section: str, described: dict[str, str], keep: Callable[[str], bool]) -> str:
    """Replace entries of a list that an earlier section of the page also has by references to it, at the end.

    described : for each entry, the first section that has it; updated in place
    keep : returns True for an entry that is never replaced
    """
    entries = []
    referred: dict[str, list[str]] = {}
    for entry in re.split(r"\n(?=- )", text):
        first = section if keep(entry) else described.setdefault(entry, section)
        if first == section:
            entries.append(entry)
        else:
            referred.setdefault(first, []).append(entry.removeprefix("- ").partition(" (")[0])
    return "\n".join(entries + [f"- {', '.join(names)}: as for [{one}](#{one})" for one, names in referred.items()])


def _named(names: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    """Format names as code, with the type of a parameter."""
    shown = ", ".join(code(name) for name in names.split(", "))
    name = names.lstrip("*")
    annotation = parameters[name].annotation if name in parameters else inspect.Parameter.empty
    return shown if annotation is inspect.Parameter.empty else f"{shown} ({code(_type(annotation))})"


def _type(annotation: Any) -> str:
    """Format a type annotation without the modules of its parts."""
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    written = re.sub(
        r"^(?:typing\.)?Optional\[(.*)\]$", r"\1 | None", written
    )  # as Python formats annotations with None
    return re.sub(r"\b(typing|pathlib|collections\.abc|pandas|pd|surefoot(\.\w+)*)\.", "", written).replace(
        "Grid", "dict"
    )


def literal(text: str) -> str:
    """Join a text to a single line and escape Markdown, except code in backticks."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else _MARKUP.sub(r"\\\1", part) for part in parts)


def code(text: str) -> str:
    """Format a text as inline code."""
    return f"`{text}`"
