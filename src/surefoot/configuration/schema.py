"""The JSON Schema of the configuration, made of its models, for editors and readers."""

from collections.abc import Mapping
from typing import Any

from surefoot.build.project import PROJECT
from surefoot.configuration.models import Configuration, Study
from surefoot.configuration.sections import NAME_PATTERN, Section
from surefoot.configuration.validation import KINDS

SCHEMA_PATH = PROJECT / "workflow" / "schemas" / "config.schema.json"


_STUDY = "#/properties/studies/additionalProperties"
_NAMED_KIND = {"type": "object", "required": ["kind"]}
_LEFT_OUT = ["object", "null"]
"""The types of an entry, which an overlay leaves out with null."""


def schema() -> dict[str, Any]:
    """The schema of a configuration file."""
    study = _plain(Study.model_json_schema(by_alias=True))
    for part, kinds in KINDS.items():
        usual = "none" if part == "scales" else None
        study["properties"][part] = _named_by_kind(kinds(), f"{_STUDY}/properties/{part}", usual)
        study["properties"][part]["description"] = Study.model_fields[part].description
    study["type"] = _LEFT_OUT
    whole = _plain(Configuration.model_json_schema(by_alias=True))
    studies: dict[str, Any] = {"propertyNames": {"pattern": NAME_PATTERN}, "additionalProperties": study}
    studies |= {"type": "object", "description": Configuration.model_fields["studies"].description}
    whole["properties"]["studies"] = studies
    first = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Configuration of Surefoot"}
    return first | whole


def _named_by_kind(models: Mapping[str, type[Section]], place: str, usual: str | None) -> dict[str, Any]:
    """A mapping of entries, whose kind is their name or what they say.

    place : of the mapping in the schema
    usual : the kind of an entry that says none, where its name is none
    """
    entry = f"{place}/additionalProperties"
    references = {name: {"$ref": f"{entry}/allOf/{position}/then"} for position, name in enumerate(models)}
    of_name = {
        name: {"type": _LEFT_OUT, "if": _NAMED_KIND, "then": {"$ref": entry}, "else": {"anyOf": [reference, _NULL]}}
        for name, reference in references.items()
    }
    return {
        "type": "object",
        "propertyNames": {"pattern": NAME_PATTERN},
        "properties": of_name,
        "additionalProperties": _of_kind(models, references.get(usual or "")),
    }


_NULL = {"type": "null"}


def _of_kind(models: Mapping[str, type[Section]], usual: dict[str, str] | None) -> dict[str, Any]:
    """An entry of one of several kinds."""
    texts = "; ".join(f"{name}: {(model.__doc__ or '').strip().splitlines()[0]}" for name, model in models.items())
    kind = {"enum": list(models), "description": f"The kind; by default the name of the entry. {texts}"}
    chosen: list[dict[str, Any]] = [
        {
            "if": _NAMED_KIND | {"properties": {"kind": {"const": name}}},
            "then": _plain(model.model_json_schema(by_alias=True)),
        }
        for name, model in models.items()
    ]
    for one in chosen:
        one["then"]["properties"]["kind"]["description"] = "The kind of this entry."
    entry = {"type": _LEFT_OUT, "properties": {"kind": kind}, "allOf": chosen}
    if usual is None:
        return entry | {"required": ["kind"]}
    without = {"type": "object", "not": {"required": ["kind"]}}
    return entry | {"allOf": [*chosen, {"if": without, "then": usual}]}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A model's schema with its definitions in their places, and without titles that repeat the keys."""
    definitions = schema.pop("$defs", {})

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            part = definitions[part["$ref"].rpartition("/")[2]] | {key: part[key] for key in part if key != "$ref"}
        if "patternProperties" in part:  # keys are names
            part = {"additionalProperties": False} | part
        kinds = [each for each in part.get("anyOf", ()) if each != _NULL]
        if len(kinds) == 1:  # an optional key
            kind = resolved(kinds[0])
            values = {"enum": [*kind["enum"], None]} if "enum" in kind else {}
            own = {key: part[key] for key in part if key not in ("anyOf", "default")}
            return resolved(kind | {"type": [kind["type"], "null"]} | values | own)
        return {
            key: {name: resolved(each) for name, each in value.items()} if key == "properties" else resolved(value)
            for key, value in part.items()
            if key != "title"
        }

    plain: dict[str, Any] = resolved(schema)
    return plain
