"""What is wrong in a configuration, as one sentence for the person who wrote it: the value, the keys and a hint."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.sections import NAME_HINT, Section
from surefoot.errors import HintedError, shown

Keys = Sequence[str | int]
Model = TypeVar("Model", bound=Section)
A_MAPPING = "a mapping (keys with values, indented below it)"
TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": A_MAPPING,
    "model_type": A_MAPPING,
    "model_attributes_type": A_MAPPING,
}
"""What a reader of YAML calls the types, by the errors that ask for them."""
LIMITS = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "string_too_short": "a text that is not empty",
}
"""What is allowed, by the errors of values that are too large, too small, too many or too few."""


class SettingError(InputError):
    """Something in a configuration is wrong.

    Parameters
    ----------
    keys : those that lead to it
    what : what is wrong, with the value
    hint : the allowed values or the nearest name
    """

    def __init__(self, keys: Keys, what: str, hint: str):
        super().__init__(".".join(map(str, keys)), what, hint)
        self.keys = tuple(keys)


@contextlib.contextmanager
def within(*keys: str | int) -> Iterator[None]:
    """Put keys before those of a SettingError in the block, and make one of another HintedError, with these keys."""
    try:
        yield
    except SettingError as error:
        raise SettingError((*keys, *error.keys), error.what, error.hint) from None
    except HintedError as error:
        raise SettingError(keys, error.told, error.hint) from None


def check_known(name: str, known: Iterable[str], keys: Keys, what: str) -> None:
    """Raise a SettingError, whose hint is the nearest name, for a name that is not among those that are known."""
    if name not in (known := list(known)):
        raise SettingError(keys, what, nearest(name, known))


def validated(model: type[Model], given: object) -> Model:
    """A section, checked by its model.

    given : as the file has it, with texts as keys

    Raises
    ------
    SettingError
        for the one that lies deepest, since it is the most specific
    """
    # A value that JSON does not know, such as a date, becomes one that no key takes.
    text = json.dumps(given, default=lambda value: {type(value).__name__: None})
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise _error_that_lies_deepest(model, given, error.errors(include_url=False)) from None


def _error_that_lies_deepest(model: type[Section], given: object, errors: Sequence[Any]) -> SettingError:
    places = [_keys_of(given, error["loc"], error["type"]) for error in errors]
    keys = max(places, key=len)
    alike = [error for error, place in zip(errors, places, strict=True) if place == keys]
    # For a value that may have several types, the error of the one that it has says best what is wrong with it.
    chosen = next((error for error in alike if error["type"] not in TYPES), alike[0])
    kind, context = chosen["type"], chosen.get("ctx", {})
    section = _model_at(model, keys[:-1])
    field = _fields(section).get(str(keys[-1])) if keys else None
    if kind == "extra_forbidden":
        return SettingError(
            keys, "unknown key", nearest(str(keys[-1]), _fields(section)) if section else "leave it out"
        )
    if kind == "missing" and isinstance(chosen["loc"][-1], str):
        return missing_key(keys[:-1], str(keys[-1]), field)
    if "[key]" in chosen["loc"]:
        return SettingError(keys, f"{shown(keys[-1])} is not a name", NAME_HINT)
    if isinstance(context.get("error"), HintedError):
        return SettingError(keys, context["error"].told, context["error"].hint)
    if kind in TYPES:
        hint = "it must be " + " or ".join(dict.fromkeys(TYPES[one["type"]] for one in alike if one["type"] in TYPES))
    elif kind == "missing":
        hint = f"{1 + max(int(one['loc'][-1]) for one in alike if one['type'] == kind)} of them"
    elif kind in LIMITS:
        numbers = {
            key: int(one) if isinstance(one, float) and one.is_integer() else one for key, one in context.items()
        }
        hint = LIMITS[kind].format(**numbers)
    elif "expected" in context:
        hint = "allowed: " + context["expected"].replace(" or ", ", ").replace("'", "")
    else:
        hint = field.description if field and field.description else "see workflow/schemas/config.schema.json"
    return SettingError(keys, f"{shown(_value_at(given, keys))} is not allowed", hint)


def no_mapping(keys: Keys, value: object) -> SettingError:
    """The error of a value where a mapping is expected."""
    return SettingError(keys, f"{shown(value)} is not allowed", f"it must be {A_MAPPING}")


def missing_key(keys: Keys, name: str, field: FieldInfo | None) -> SettingError:
    """The error of a section that lacks a key which it needs."""
    examples = [f"{name}: {example}" for example in (field.examples or [] if field else [])]
    description = field.description if field and field.description else "it has no default"
    return SettingError(keys, f'key "{name}" is missing', "; ".join([*examples, description]))


def _keys_of(given: Any, loc: Keys, kind: str) -> tuple[str | int, ...]:
    """The keys of an error's place; pydantic adds names of types between them where there are several."""
    keys: list[str | int] = []
    for part in loc:
        if part in (given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()):
            keys.append(part)
            given = given[part]
    return (*keys, loc[-1]) if kind == "missing" and isinstance(loc[-1], str) else tuple(keys)


def _value_at(given: Any, keys: Keys) -> object:
    for key in keys:
        given = given[key]
    return given


def _model_at(model: type[BaseModel], keys: Keys) -> type[BaseModel] | None:
    """The model of the section at some keys below a model."""
    annotations: list[Any] = [model]
    for key in keys:
        below: list[Any] = []
        for annotation in annotations:
            arguments = get_args(annotation)
            if _is_model(annotation):
                field = _fields(annotation).get(str(key))
                below += _alternatives(field.annotation) if field else []
            elif get_origin(annotation) is dict:
                below += _alternatives(arguments[1])
            elif get_origin(annotation) in (tuple, Sequence) and arguments:
                below += _alternatives(arguments[0])
        annotations = below
    return next((one for one in annotations if _is_model(one)), None)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _alternatives(annotation: Any) -> list[Any]:
    """What an annotation may stand for, without what only describes it."""
    if get_origin(annotation) is Annotated:
        return _alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [one for part in get_args(annotation) for one in _alternatives(part)]
    return [annotation]


def _fields(section: type[BaseModel] | None) -> dict[str, FieldInfo]:
    fields = {} if section is None else section.model_fields
    return {field.alias or name: field for name, field in fields.items()}
