"""What a model refuses, as one sentence for the person who wrote the configuration: the value, the key and a hint."""

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.sections import NAME_HINT, Section
from surefoot.errors import shown

Path = Sequence[str | int]
Model = TypeVar("Model", bound=Section)
_MOST_VALUES = 1_000_000
_KINDS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping (keys with values, indented below it)",
    "model_type": "a mapping (keys with values, indented below it)",
    "model_attributes_type": "a mapping (keys with values, indented below it)",
    "finite_number": "a number",
}
"""What a reader of YAML calls the types, by the errors that ask for them."""
_BOUNDS = {
    "greater_than_equal": ("too small", "at least {ge}"),
    "greater_than": ("too small", "more than {gt}"),
    "less_than_equal": ("too large", "at most {le}"),
    "less_than": ("too large", "less than {lt}"),
}


def validated(model: type[Model], given: object, path: Path, locate: Callable[..., str]) -> Model:
    """A section, checked by its model.

    Parameters
    ----------
    given : as the file has it
    path : of the section, as `locate` takes it
    locate : the place of a key in an error

    Raises
    ------
    InputError
        for the mistake that lies deepest, since it is the most specific
    """
    try:
        return model.model_validate_json(_as_json(given, path, locate), strict=True)
    except ValidationError as error:
        raise _explained(model, given, error, path, locate) from None


def _as_json(given: object, path: Path, locate: Callable[..., str]) -> str:
    if _size(given, {}) > _MOST_VALUES:
        what, hint = f"more than {_MOST_VALUES:,} values, those that aliases repeat counted", "write fewer"
        raise InputError(locate(*path), what, hint)
    # A value that JSON does not know, such as a date, becomes one that no key takes.
    return json.dumps(given, default=lambda value: {type(value).__name__: None})


def _size(value: object, known: dict[int, int]) -> int:
    """How many values a value is made of, each as often as it is repeated by aliases."""
    if not isinstance(value, Mapping | list):
        return 1
    if id(value) not in known:
        parts = value.values() if isinstance(value, Mapping) else value
        known[id(value)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(value)]


def _explained(
    model: type[Section], given: object, error: ValidationError, path: Path, locate: Callable[..., str]
) -> InputError:
    found = [(_keys(given, details["loc"]), details) for details in error.errors(include_url=False)]
    deepest = max(len(keys) for keys, _ in found)
    keys = min((keys for keys, _ in found if len(keys) == deepest), key=str)
    here = [details for others, details in found if others == keys]
    # Of a value that may be of several types, the one that it has tells best what is wrong with it.
    chosen = next((details for details in here if details["type"] not in _KINDS), here[0])
    value = _at(given, keys)
    if chosen["type"] == "extra_forbidden":
        section = model_at(model, keys[:-1])
        hint = nearest_key(str(keys[-1]), section) if section else "leave it out"
        return InputError(locate(*path, *keys), "unknown key", hint)
    if chosen["type"] == "missing":
        section, missing = model_at(model, keys[:-1]), str(keys[-1])
        field = _fields(section).get(missing) if section else None
        return missing_key(locate(*path, *keys[:-1]), missing, field)
    where, context = locate(*path, *keys), chosen.get("ctx", {})
    if "[key]" in chosen["loc"]:
        return InputError(where, f"{shown(keys[-1])} is not a name", NAME_HINT)
    if chosen["type"] in _KINDS:
        kinds = dict.fromkeys(_KINDS[details["type"]] for details in here if details["type"] in _KINDS)
        return InputError(where, f"{_written(value)} has the wrong type", f"it must be {' or '.join(kinds)}")
    if chosen["type"] in _BOUNDS:
        what, hint = _BOUNDS[chosen["type"]]
        return InputError(where, f"{shown(value)} is {what}", hint.format(**context))
    if chosen["type"] == "too_short":
        nothing = isinstance(value, Mapping) and not value
        what = "nothing is given here" if nothing else f"{shown(value)} has too few entries"
        return InputError(where, what, f"at least {context['min_length']} of them")
    if chosen["type"] == "too_long":
        return InputError(where, f"{shown(value)} has too many entries", f"at most {context['max_length']} of them")
    if chosen["type"] == "string_too_short":
        return InputError(where, "the text is empty", "write one, or leave the key out")
    if chosen["type"] == "named_twice":
        return InputError(where, f"{shown(value)} names something twice", "name each once")
    if chosen["type"] == "not_allowed":
        return InputError(where, f"{_written(value)} is not allowed", f"allowed: {', '.join(context['allowed'])}")
    field = _fields(model_at(model, keys[:-1])).get(str(keys[-1])) if keys else None
    described = field.description if field and field.description else "see workflow/schemas/config.schema.json"
    allowed = _choices(field.annotation) if field else []
    hint = f"allowed: {', '.join(allowed)}" if allowed else described
    return InputError(where, f"{_written(value)} is not allowed", hint)


def missing_key(where: str, name: str, field: FieldInfo | None) -> InputError:
    """The error of a key that a section needs."""
    examples = [f"{name}: {example}" for example in (field.examples or [] if field else [])]
    described = field.description if field and field.description else "it has no default"
    return InputError(where, f'key "{name}" is missing', "; ".join([*examples, described]))


def nearest_key(unknown: str, section: type[BaseModel]) -> str:
    """The nearest key of this section, else of a section below it, which a misplaced key often belongs to."""
    own = _fields(section)
    below = {
        key: f"{name}.{key}"
        for name, field in own.items()
        for part in _alternatives(field.annotation)
        if isinstance(part, type) and issubclass(part, BaseModel)
        for key in _fields(part)
    }
    for candidates in ({key: key for key in own}, below):
        close = difflib.get_close_matches(unknown, candidates, n=1, cutoff=0.65)
        if close:
            return f'did you mean "{candidates[close[0]]}"?'
    return nearest(unknown, own)


def _keys(given: object, location: Sequence[str | int]) -> tuple[str | int, ...]:
    """The keys of a place; pydantic adds names of types between them where there are several."""
    keys: list[str | int] = []
    for position, part in enumerate(location):
        last = position == len(location) - 1
        known = given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()
        if part in known:
            keys.append(part)
            given = given[part]  # type: ignore[index]
        elif last and isinstance(given, Mapping) and part != "[key]":
            keys.append(part)
    return tuple(keys)


def _at(given: Any, keys: Sequence[str | int]) -> object:
    for key in keys:
        if isinstance(given, Mapping) and key not in given:
            return None
        given = given[key]
    return given


def model_at(model: type[BaseModel], keys: Sequence[str | int]) -> type[BaseModel] | None:
    """The model of the section at some keys below a model."""
    annotations: list[Any] = [model]
    for key in keys:
        below: list[Any] = []
        for annotation in annotations:
            arguments = get_args(annotation)
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                field = _fields(annotation).get(str(key))
                below += _alternatives(field.annotation) if field else []
            elif get_origin(annotation) is dict:
                below += _alternatives(arguments[1])
            elif get_origin(annotation) is tuple and arguments:
                below += _alternatives(arguments[0])
        annotations = below
    return next((one for one in annotations if isinstance(one, type) and issubclass(one, BaseModel)), None)


def _alternatives(annotation: Any) -> list[Any]:
    """What an annotation may stand for, without what only describes it."""
    if get_origin(annotation) is Annotated:
        return _alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [one for part in get_args(annotation) for one in _alternatives(part)]
    return [annotation]


def _choices(annotation: Any) -> list[str]:
    """The values of a Literal, or of the entries of a list of them, as a file has them."""
    found = []
    for one in _alternatives(annotation):
        inner = _alternatives(get_args(one)[0])[0] if get_origin(one) is tuple and get_args(one) else one
        found += [_written(value).strip("'") for value in get_args(inner) if isinstance(value, str | bool)]
    return found


def _fields(section: type[BaseModel] | None) -> dict[str, FieldInfo]:
    fields = {} if section is None else section.model_fields
    return {field.alias or name: field for name, field in fields.items()}


def _written(value: object) -> str:
    """The value as a file has it, where Python writes it otherwise."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else shown(value)
