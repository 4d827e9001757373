"""Base models of the sections of the configuration, and common types of values.

Sources, scales and questions use this module, and planning imports all of them, so it imports nothing heavy.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

from surefoot.errors import HintedError, nearest, shown

LARGEST_COUNT = 1_000_000_000
NAME_PATTERN = r"^[a-z][a-z0-9_]{0,99}$"
NAME_HINT = "use lower-case letters, digits and underscores, beginning with a letter; at most 100 characters"


class Section(BaseModel):
    """An immutable section of the configuration that rejects unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, given: Any) -> Any:
        """Raise a HintedError for an unknown key, or for a missing key, whose description is the hint."""
        names = {field.alias or name: name for name, field in cls.model_fields.items()}
        for key in given if isinstance(given, Mapping) else ():
            if key not in names:
                raise HintedError(str(key), "unknown key", nearest(str(key), names))
        for key, name in names.items() if isinstance(given, Mapping) else ():
            field = cls.model_fields[name]
            if field.is_required() and (key not in given or given[key] == {}):
                examples = [f"{key}: {example}" for example in field.examples or ()]
                hint = "; ".join(examples) or field.description or "it has no default"
                raise HintedError("", f'key "{key}" is missing', hint)
        return given

    def plain(self) -> dict[str, Any]:
        """Return the section in the form of a file, without keys that are None."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def given(self) -> dict[str, Any]:
        """Return the section in the form of a file, without keys that are None or have their default."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)


class DescribedSection(Section):
    """A section defined as a class, with a docstring below each key."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Join the lines of each description, for messages and the schema."""
        for name, field in cls.model_fields.items():
            text = field.description or ("The kind of this entry." if name == "kind" else "")
            field.description = " ".join(text.split()) or None


DIVIDES_WORK = ("block", "block_overrides", "batch")
"""Keys of sources and questions that divide work into jobs and cache entries, without effect on results."""

Item = TypeVar("Item", bound=Hashable)


def _each_once(values: Sequence[Item]) -> Sequence[Item]:
    if len(set(values)) < len(values):
        raise HintedError("", f"{shown(list(values))} has a duplicate", "name each once")
    return values


EACH_ONCE = AfterValidator(_each_once)
UNIQUE = {"uniqueItems": True}
"""JSON Schema of the constraint `EACH_ONCE`."""


def one_of(names: Iterable[str]) -> tuple[AfterValidator, FieldInfo]:
    """Return metadata such that `Annotated[str, *one_of(names)]` accepts only the given names."""
    allowed = list(names)

    def check(value: str) -> str:
        if value not in allowed:
            raise HintedError("", f"{shown(value)} is not allowed", f"use one of {', '.join(allowed)}")
        return value

    return AfterValidator(check), Field(json_schema_extra={"enum": list[Any](allowed)})


Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Count = Annotated[int, Field(ge=1, le=LARGEST_COUNT)]
SeveralRuns = Annotated[int, Field(ge=2, le=LARGEST_COUNT)]
Level = Annotated[float, Field(gt=0, lt=1)]
Text = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[str, ...], EACH_ONCE, Field(json_schema_extra=UNIQUE)]
"""Any number of different names."""
SomeNames = Annotated[tuple[str, ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)]
"""One or more different names."""
Variants = Annotated[
    tuple[Literal["corrected", "as_published"], ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)
]
"""Variants of a published program: `corrected` follows the paper, `as_published` reproduces its bugs."""
