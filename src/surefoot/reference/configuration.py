"""The page of the keys of a configuration, made of its schema."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from surefoot.reference.markdown import code, literal

_HEAD = """# The configuration

A configuration is YAML: a study has sources, scales and questions, each with a name of your choice and a `kind`. If an
entry has no `kind`, its name is the kind. If you give several files, later ones override earlier ones, and `null`
removes an entry of an earlier file. An editor that supports JSON Schema completes and checks keys with
`workflow/schemas/config.schema.json`."""
_PARTS = {"sources": "Sources", "scales": "Scales", "questions": "Questions"}
_TYPES = {"integer": "whole number", "array": "list", "object": "mapping", "string": "text", "boolean": "true or false"}
_BOUNDS = {"minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}", "exclusiveMaximum": "< {}"}
_GREATEST_SHOWN = 10**8
"""Greater bounds keep mistakes out, and say nothing to a reader."""


def configuration_page(schema: Mapping[str, Any]) -> str:
    """The page, as Markdown.

    Parameters
    ----------
    schema : of the whole configuration
    """
    top = dict(schema["properties"])
    study = dict(top.pop("studies")["additionalProperties"]["properties"])
    parts = {name: study.pop(name)["additionalProperties"]["allOf"] for name in _PARTS}
    written = [_HEAD, "## Beside the studies", _keys(top), "## A study", _keys(study)]
    for name, title in _PARTS.items():
        written += [f"## {title}", *(_kind(kind, model) for kind, model in _kinds(parts[name]))]
    return "\n\n".join(written) + "\n"


def _kinds(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(kind, its model) of the entries of a part of a study."""
    for entry in entries:
        kind = entry["if"].get("properties", {}).get("kind") if "if" in entry else None
        if kind:
            yield kind["const"], entry["then"]


def _kind(name: str, model: Mapping[str, Any]) -> str:
    about = [literal(paragraph) for paragraph in model.get("description", "").split("\n\n")]
    keys = {key: value for key, value in model["properties"].items() if key != "kind"}
    return "\n\n".join([f"### {name}", *about, *([_keys(keys)] if keys else [])])


def _keys(properties: Mapping[str, Any]) -> str:
    """A list of keys; those of a mapping stand below it."""
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
    """A value as it is written in YAML."""
    if isinstance(value, bool):
        return code(str(value).lower())
    if isinstance(value, dict):
        return code("{" + ", ".join(f"{key}: {one}" for key, one in value.items()) + "}")
    return code(str(value)) if value != "" else '`""`'
