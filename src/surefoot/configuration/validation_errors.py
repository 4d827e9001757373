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
A_MAPPING = "a mapping (keys with values, indented below it)"
KINDS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": A_MAPPING,
    "model_type": A_MAPPING,
    "model_attributes_type": A_MAPPING,
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
_SIZES = {
    "too_short": ("has too few entries", "at least {min_length} of them"),
    "too_long": ("has too many entries", "at most {max_length} of them"),
}
_LISTS = (tuple, Sequence)
_NOUNS = {
    "studies": "study",
    "sources": "source",
    "scales": "scale",
    "questions": "question",
    "algorithms": "algorithm",
    "environments": "environment",
    "distributions": "distribution",
}
"""What the mappings hold whose keys the user chooses."""


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
        for the mistake that lies deepest
    """
    given = _without_null_sections(model, with_names_as_keys(given))
    try:
        return model.model_validate_json(_as_json(given), strict=True)
    except ValidationError as error:
        raise validation_errors(model, given, error, path, locate) from None


def validation_errors(
    model: type[Section],
    given: object,
    error: ValidationError,
    path: Path,
    locate: Locate,
) -> InputError:
    """One sentence for the mistake that lies deepest, since it is the most specific.

    Parameters
    ----------
    model, given : the section that was refused
    path : of the section, as `locate` takes it
    locate : the place of a key in an error
    """
    errors: list[Any] = error.errors(include_url=False)
    places = [_keys(given, details["loc"], details["type"]) for details in errors]
    deepest = max(map(len, places))
    keys = min((place for place in places if len(place) == deepest), key=str)
    alike = [details for details, place in zip(errors, places, strict=True) if place == keys]
    # For a value that may have several types, the error of the one that it has says best what is wrong with it.
    chosen = next((details for details in alike if details["type"] not in KINDS), alike[0])
    kind, context, value, where = chosen["type"], chosen.get("ctx", {}), _at(given, keys), locate(*path, *keys)
    section = model_at(model, keys[:-1])
    field = _fields(section).get(str(keys[-1])) if keys else None
    if kind == "extra_forbidden":
        return InputError(where, "unknown key", nearest_key(str(keys[-1]), section) if section else "leave it out")
    if kind == "missing" and isinstance(chosen["loc"][-1], int):
        fewest = 1 + max(int(details["loc"][-1]) for details in alike if details["type"] == "missing")
        return InputError(where, f"{shown(value)} has too few entries", f"{fewest} of them")
    if kind == "missing":
        return missing_key(locate(*path, *keys[:-1]), str(keys[-1]), field)
    if "[key]" in chosen["loc"]:
        return no_name(where, [*path, *keys])
    if kind in KINDS:
        types = dict.fromkeys(KINDS[details["type"]] for details in alike if details["type"] in KINDS)
        return InputError(where, f"{_written(value)} has the wrong type", f"it must be {' or '.join(types)}")
    if kind in BOUNDS:
        what, hint = BOUNDS[kind]
        bounds = {name: int(bound) if bound == int(bound) else bound for name, bound in context.items()}
        return InputError(where, f"{shown(value)} is {what}", hint.format(**bounds))
    if kind in _SIZES:
        what, hint = _SIZES[kind]
        is_nothing = isinstance(value, Mapping) and not value
        return InputError(
            where, "nothing is given here" if is_nothing else f"{shown(value)} {what}", hint.format(**context)
        )
    if kind == "string_too_short":
        return InputError(where, "the text is empty", "write one, or leave the key out")
    if isinstance(context.get("error"), HintedError):
        return InputError(where, context["error"].told, context["error"].hint)
    hint = field.description if field and field.description else "see workflow/schemas/config.schema.json"
    if "expected" in context:
        hint = "allowed: " + context["expected"].replace(" or ", ", ").replace("'", "")
    return InputError(where, f"{_written(value)} is not allowed", hint)


def wrong_type(where: str, value: object) -> InputError:
    """The error of a value where a mapping is expected."""
    return InputError(where, f"{shown(value)} has the wrong type", f"it must be {A_MAPPING}")


def no_name(where: str, path: Path) -> InputError:
    """The error of a key that is not spelled as names are."""
    noun = _NOUNS.get(str(path[-2]), "")
    article = "an" if noun[:1] in ("a", "e") else "a"
    of_what = f" for {article} {noun}" if noun else ""
    return InputError(where, f"{shown(path[-1])} is not a name{of_what}", NAME_HINT)


def missing_key(where: str, name: str, field: FieldInfo | None) -> InputError:
    """The error of a key that a section needs."""
    examples = [f"{name}: {example}" for example in (field.examples or [] if field else [])]
    description = field.description if field and field.description else "it has no default"
    return InputError(where, f'key "{name}" is missing', "; ".join([*examples, description]))


def nearest_key(unknown: str, section: type[BaseModel], entries: Mapping[str, type[BaseModel]] | None = None) -> str:
    """The nearest key of this section or of one below it, which a misplaced key often belongs to.

    entries : further sections below it, by the keys that lead there
    """
    fields = _fields(section)
    parts = [(name, part) for name, field in fields.items() for part in _alternatives(field.annotation)]
    keys = {key: key for key in fields}
    for name, part in [*parts, *(entries or {}).items()]:
        for key in _fields(part) if _is_model(part) else ():
            keys.setdefault(key, f"{name}.{key}")
    close = [
        *difflib.get_close_matches(unknown, fields, n=1, cutoff=0.85),
        *difflib.get_close_matches(unknown, keys, n=1, cutoff=0.65),
    ]
    return f'did you mean "{keys[close[0]]}"?' if close else nearest(unknown, fields)


def with_names_as_keys(given: Any) -> Any:
    """A value whose mappings have texts as keys, also where YAML takes a key for a number, a date or a truth value."""
    if isinstance(given, Mapping):
        return {str(key): with_names_as_keys(value) for key, value in given.items()}
    return [with_names_as_keys(value) for value in given] if isinstance(given, list) else given


def _as_json(given: object) -> str:
    # A value that JSON does not know, such as a date, becomes one that no key takes.
    return json.dumps(given, default=lambda value: {type(value).__name__: None})


def _without_null_sections(model: type[BaseModel] | None, given: Any) -> Any:
    """A section as the file has it, without sections below it that are null, and without null entries of mappings from
    names to sections."""
    if model is None or not isinstance(given, Mapping):
        return given
    kept = dict(given)
    for name, field in _fields(model).items():
        parts = [one for one in _alternatives(field.annotation) if get_origin(one) is dict or _is_model(one)]
        if parts and name in kept and kept[name] is None:
            del kept[name]
        for one in parts if isinstance(kept.get(name), Mapping) else ():
            if _is_model(one):
                kept[name] = _without_null_sections(one, kept[name])
            else:
                below = model_at(model, [name, "any"])
                entries = {key: entry for key, entry in kept[name].items() if entry is not None}
                kept[name] = {key: _without_null_sections(below, entry) for key, entry in entries.items()}
    return kept


def _keys(given: object, loc: Path, kind: str) -> tuple[str | int, ...]:
    """The keys of an error's place; pydantic adds names of types between them where there are several."""
    keys: list[str | int] = []
    for part in loc:
        there = given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()
        if part in there:
            keys.append(part)
            given = given[part]  # type: ignore[index]
    return (*keys, loc[-1]) if kind == "missing" and isinstance(loc[-1], str) else tuple(keys)


def _at(given: Any, keys: Path) -> object:
    for key in keys:
        if isinstance(given, Mapping) and key not in given:
            return None
        given = given[key]
    return given


def model_at(model: type[BaseModel], keys: Path) -> type[BaseModel] | None:
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
            elif get_origin(annotation) in _LISTS and arguments:
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


def _written(value: object) -> str:
    """The value as a file has it, where Python writes it otherwise."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else shown(value)
