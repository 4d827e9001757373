"""JSON Schema of the configuration for editors, from pydantic; it also allows null, for entries in overlays."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from surefoot.workflow.configuration.models import configuration_model
from surefoot.workflow.project import PROJECT

SCHEMA_PATH = PROJECT / "workflow" / "schemas" / "config.schema.json"


class _Schema(GenerateJsonSchema):
    """Generator of schemas without titles that repeat keys, with patterns for keys, and with null allowed."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> dict[str, Any]:
        made = super().dict_schema(schema)
        if "patternProperties" in made:
            (pattern, value), *_ = made["patternProperties"].items()
            return made | {"patternProperties": {pattern: _or_null(value)}, "additionalProperties": False}
        return made | {"additionalProperties": _or_null(made["additionalProperties"])}


def _or_null(value: Any) -> dict[str, Any]:
    return {"anyOf": [value, {"type": "null"}]}


def schema() -> dict[str, Any]:
    """Return the schema of a configuration file."""
    first = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    made = configuration_model().model_json_schema(by_alias=True, schema_generator=_Schema)
    return first | made | {"title": "Configuration of Surefoot"}
