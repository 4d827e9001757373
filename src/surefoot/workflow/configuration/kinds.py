"""Entries of several kinds, such as a study's sources, each validated by the model of its kind."""

from collections.abc import Mapping
from typing import Annotated, Any, Union

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema
from typing_extensions import TypeAliasType

from surefoot.errors import nearest, shown
from surefoot.registry import Registry
from surefoot.runs.sections import NAME_PATTERN, Name, Section
from surefoot.runs.setting_errors import SettingError, check_known, mapping


class Kinds:
    """Annotation of a mapping of entries by name, whose key `kind` is the discriminator of a union.

    The union is created when the model is built, and contains all kinds registered by then.

    Parameters
    ----------
    title : title of the union in the JSON schema
    registry : model of each kind
    usual : kind of an entry that has no key `kind` and whose name is not a kind; "" if such an entry is an error
    """

    def __init__(self, title: str, registry: Registry[Any], usual: str = "") -> None:
        self.title = title
        self.registry = registry
        self.usual = usual

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of a union that is discriminated by `kind`."""
        models = tuple(self.registry.complete().values())
        discriminator = Field(discriminator="kind", json_schema_extra={"required": ["kind"]})
        union = Annotated[Union[models], discriminator]  # type: ignore[valid-type]  # noqa: UP007
        return handler.generate_schema(dict[Name, TypeAliasType(self.title, union)])  # type: ignore[misc]

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the schema of the mapping: an entry may omit `kind` if its name is a kind, and be null."""
        schema = handler(core)
        (entry,) = schema.pop("patternProperties").values()
        allowed = entry.get("anyOf", [entry, {"type": "null"}])
        models = handler.resolve_ref_schema(allowed[0])["discriminator"]["mapping"]
        schema["properties"] = {name: {"anyOf": [{"$ref": model}, *allowed]} for name, model in models.items()}
        usual = [{"$ref": models[self.usual]}] if self.usual else []
        schema["additionalProperties"] = {"anyOf": [*usual, *allowed]}
        schema["propertyNames"] = {"pattern": NAME_PATTERN}
        return schema

    def completed(self, entries: object) -> dict[str, dict[str, Any]]:
        """Return the entries with their key `kind`, which is by default the name of the entry.

        Raises
        ------
        SettingError
            If an entry is not a mapping, or its kind is missing or unknown.
        """
        models = self.registry.complete()
        return {name: self._completed(name, entry, models) for name, entry in mapping(entries).items()}

    def _completed(self, name: str, entry: object, models: Mapping[str, type[Section]]) -> dict[str, Any]:
        keys = mapping(entry, [name])
        kind = keys.get("kind", name if name in models else self.usual)
        if kind == "" and "kind" not in keys:
            what = f'key "kind" is missing, and "{name}" is not the name of a kind'
            raise SettingError([name], what, nearest(name, models))
        check_known(kind, models, [name, "kind"], f"{shown(kind)} is not allowed")
        return {**keys, "kind": kind}
