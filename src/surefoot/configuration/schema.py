"""The JSON Schema of the configuration, made of its models, for editors and readers."""

from pathlib import Path
from typing import Any

from surefoot.configuration.models import Configuration, ConfigurationHead, Study, StudyHead
from surefoot.configuration.sections import NAME_PATTERN, Section
from surefoot.questions.registry import questions
from surefoot.scales.registry import scales
from surefoot.sources.registry import sources

SCHEMA_PATH = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.json"


def schema() -> dict[str, Any]:
    """The schema of a configuration file."""
    study = _plain(StudyHead.model_json_schema(by_alias=True))
    for part, kinds in (("sources", sources()), ("scales", scales()), ("questions", questions())):
        study["properties"][part] = _named(_chosen(kinds), Study, part)
    study["required"] = [*study["required"], "sources"]
    whole = _plain(ConfigurationHead.model_json_schema(by_alias=True))
    whole["properties"]["studies"] = _named(study, Configuration, "studies")
    first = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Configuration of Surefoot"}
    return first | whole | {"required": ["studies"]}


def _named(entry: dict[str, Any], model: type[Section], part: str) -> dict[str, Any]:
    """A mapping of named entries."""
    return {
        "type": "object",
        "description": model.model_fields[part].description,
        "propertyNames": {"pattern": NAME_PATTERN},
        "additionalProperties": entry,
    }


def _chosen(models: dict[str, Any]) -> dict[str, Any]:
    """An entry of one of several kinds."""
    texts = "; ".join(f"{name}: {(model.__doc__ or '').strip().splitlines()[0]}" for name, model in models.items())
    chosen = [
        {
            "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
            "then": _plain(model.model_json_schema(by_alias=True)),
        }
        for name, model in models.items()
    ]
    kind = {"enum": list(models), "description": f"The kind; the name of the entry without this key. {texts}"}
    return {"type": "object", "properties": {"kind": kind}, "allOf": chosen}


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
        kinds = [each for each in part.get("anyOf", ()) if each != {"type": "null"}]
        if len(kinds) == 1:  # an optional key
            part = kinds[0] | {key: part[key] for key in part if key not in ("anyOf", "default")}
            return resolved(part)
        return {
            key: {name: resolved(each) for name, each in value.items()} if key == "properties" else resolved(value)
            for key, value in part.items()
            if key != "title"
        }

    return resolved(schema)
