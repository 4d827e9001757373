"""What a model refuses, as one sentence for the person who wrote the configuration: the value, the key and a hint."""

import difflib
import json
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.places import Locate
from surefoot.configuration.sections import NAME_HINT, Section
from surefoot.errors import HintedError, shown

Path = Sequence[str | int]
Model = TypeVar("Model", bound=Section)
_MOST_VALUES = 1_000_000
KINDS = {
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
BOUNDS = {
    "greater_than_equal": ("too small", "at least {ge}"),
    "greater_than": ("too small", "more than {gt}"),
    "less_than_equal": ("too large", "at most {le}"),
    "less_than": ("too large", "less than {lt}"),
}
"""What is wrong with a number out of bounds, and what is allowed."""


def validated(model: type[Model], given: object, path: Path, locate: Locate) -> Model:
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
    _check_size(given, path, locate)
    given = _without_entries_left_out(model, _with_names_as_keys(given))
    try:
        return model.model_validate_json(_as_json(given), strict=True)
    except ValidationError as error:
        raise _explained(model, given, error, path, locate) from None


def _as_json(given: object) -> str:
    # A value that JSON does not know, such as a date, becomes one that no key takes.
    return json.dumps(given, default=lambda value: {type(value).__name__: None})


def _with_names_as_keys(given: Any) -> Any:
    """The same with texts as keys, also where YAML takes a key for a number, a date or a truth value."""
    if isinstance(given, Mapping):
        return {str(key): _with_names_as_keys(value) for key, value in given.items()}
    return [_with_names_as_keys(value) for value in given] if isinstance(given, list) else given


def _without_entries_left_out(model: type[BaseModel] | None, given: Any) -> Any:
    """The same without sections that are null, and without such entries of mappings that have one for each of several
    names."""
    if model is None or not isinstance(given, Mapping):
        return given
    kept = dict(given)
    for name, field in _fields(model).items():
        parts = [one for one in _alternatives(field.annotation) if get_origin(one) is dict or _is_model(one)]
        if name in kept and kept[name] is None and parts:
            del kept[name]
        elif isinstance(kept.get(name), Mapping):
            for one in parts:
                if _is_model(one):
                    kept[name] = _without_entries_left_out(one, kept[name])
                    continue
                below = model_at(model, [name, "any"])
                entries = {key: entry for key, entry in kept[name].items() if entry is not None}
                kept[name] = {key: _without_entries_left_out(below, entry) for key, entry in entries.items()}
    return kept


def _check_size(given: object, path: Path, locate: Locate) -> None:
    """Whether there are not too many values; of nested sections that have too many, the innermost is named."""
    known: dict[int, int] = {}
    if _size(given, known) <= _MOST_VALUES:
        return
    parts = given.items() if isinstance(given, Mapping) else enumerate(given)  # type: ignore[arg-type]
    for key, part in parts:
        _check_size(part, [*path, key], locate)
    what = f"more than {_MOST_VALUES:,} values, those that aliases repeat counted"
    raise InputError(locate(*path), what, "use fewer values")


def _size(value: object, known: dict[int, int]) -> int:
    """How many values a value is made of, each as often as it is repeated by aliases."""
    if not isinstance(value, Mapping | list):
        return 1
    if id(value) not in known:
        parts = value.values() if isinstance(value, Mapping) else value
        known[id(value)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(value)]


def _explained(model: type[Section], given: object, error: ValidationError, path: Path, locate: Locate) -> InputError:
    found = [(_keys(given, details), details) for details in error.errors(include_url=False)]
    deepest = max(len(keys) for keys, _ in found)
    keys = min((keys for keys, _ in found if len(keys) == deepest), key=str)
    here = [details for others, details in found if others == keys]
    # Of a value that may be of several types, the one that it has tells best what is wrong with it.
    chosen = next((details for details in here if details["type"] not in KINDS), here[0])
    value = _at(given, keys)
    if chosen["type"] == "extra_forbidden":
        section = model_at(model, keys[:-1])
        hint = nearest_key(str(keys[-1]), section) if section else "leave it out"
        return InputError(locate(*path, *keys), "unknown key", hint)
    if chosen["type"] == "missing" and isinstance(chosen["loc"][-1], int):
        fewest = 1 + max(int(details["loc"][-1]) for details in here if details["type"] == "missing")
        return InputError(locate(*path, *keys), f"{shown(value)} has too few entries", f"{fewest} of them")
    if chosen["type"] == "missing":
        section, missing = model_at(model, keys[:-1]), str(keys[-1])
        field = _fields(section).get(missing) if section else None
        return missing_key(locate(*path, *keys[:-1]), missing, field)
    where, context = locate(*path, *keys), chosen.get("ctx", {})
    if "[key]" in chosen["loc"]:
        return no_name(where, [*path, *keys])
    if chosen["type"] in KINDS:
        kinds = dict.fromkeys(KINDS[details["type"]] for details in here if details["type"] in KINDS)
        return InputError(where, f"{_written(value)} has the wrong type", f"it must be {' or '.join(kinds)}")
    if chosen["type"] in BOUNDS:
        what, hint = BOUNDS[chosen["type"]]
        bounds = {name: int(bound) if bound == int(bound) else bound for name, bound in context.items()}
        return InputError(where, f"{shown(value)} is {what}", hint.format(**bounds))
    if chosen["type"] == "too_short":
        nothing = isinstance(value, Mapping) and not value
        what = "nothing is given here" if nothing else f"{shown(value)} has too few entries"
        return InputError(where, what, f"at least {context['min_length']} of them")
    if chosen["type"] == "too_long":
        return InputError(where, f"{shown(value)} has too many entries", f"at most {context['max_length']} of them")
    if chosen["type"] == "string_too_short":
        return InputError(where, "the text is empty", "write one, or leave the key out")
    if isinstance(context.get("error"), HintedError):
        return InputError(where, context["error"].told, context["error"].hint)
    field = _fields(model_at(model, keys[:-1])).get(str(keys[-1])) if keys else None
    described = field.description if field and field.description else "see workflow/schemas/config.schema.json"
    allowed = _choices(field.annotation) if field else []
    hint = f"allowed: {', '.join(allowed)}" if allowed else described
    return InputError(where, f"{_written(value)} is not allowed", hint)


_NAMED = {
    "studies": " for a study",
    "sources": " for a source",
    "scales": " for a scale",
    "questions": " for a question",
    "algorithms": " for an algorithm",
    "environments": " for an environment",
    "distributions": " for a distribution",
}
"""What the mappings hold whose keys the user chooses."""


def no_name(where: str, path: Path) -> InputError:
    """The error of a key that is not spelled as names are."""
    return InputError(where, f"{shown(path[-1])} is not a name{_NAMED.get(str(path[-2]), '')}", NAME_HINT)


def missing_key(where: str, name: str, field: FieldInfo | None) -> InputError:
    """The error of a key that a section needs."""
    examples = [f"{name}: {example}" for example in (field.examples or [] if field else [])]
    described = field.description if field and field.description else "it has no default"
    return InputError(where, f'key "{name}" is missing', "; ".join([*examples, described]))


def nearest_key(unknown: str, section: type[BaseModel], entries: Mapping[str, type[BaseModel]] | None = None) -> str:
    """The nearest key of this section or of one below it, which a misplaced key often belongs to.

    entries : further sections below it, by the keys that lead there
    """
    own = _fields(section)
    parts = [(name, part) for name, field in own.items() for part in _alternatives(field.annotation)]
    known = {key: key for key in own}
    for name, part in [*parts, *(entries or {}).items()]:
        for key in _fields(part) if _is_model(part) else ():
            known.setdefault(key, f"{name}.{key}")
    close = [
        *difflib.get_close_matches(unknown, own, n=1, cutoff=0.85),
        *difflib.get_close_matches(unknown, known, n=1, cutoff=0.65),
    ]
    return f'did you mean "{known[close[0]]}"?' if close else nearest(unknown, own)


def _keys(given: object, details: Mapping[str, Any]) -> tuple[str | int, ...]:
    """The keys of an error's place; pydantic adds names of types between them where there are several."""
    keys: list[str | int] = []
    for part in details["loc"]:
        known = given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()
        if part in known:
            keys.append(part)
            given = given[part]  # type: ignore[index]
    missing = details["loc"][-1] if details["type"] == "missing" else 0
    return (*keys, missing) if isinstance(missing, str) else tuple(keys)


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
            if _is_model(annotation):
                field = _fields(annotation).get(str(key))
                below += _alternatives(field.annotation) if field else []
            elif get_origin(annotation) is dict:
                below += _alternatives(arguments[1])
            elif get_origin(annotation) is tuple and arguments:
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
