"""Errors in a configuration, each as one sentence with the value, its keys and a hint."""

import contextlib
import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from surefoot.errors import HintedError, InputError, nearest, shown
from surefoot.runs.sections import NAME_HINT

Keys = Sequence[str | int]
Model = TypeVar("Model", bound=BaseModel)
PARTS = ("sources", "scales", "questions")
"""Keys of a study whose entries are of several kinds."""
A_MAPPING = "a mapping (keys with values, indented below it)"
TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "sequence_str": "a list",
    "is_instance_of": "a list",  # pydantic's error for a mapping where a sequence is allowed
    "dict_type": A_MAPPING,
    "model_type": A_MAPPING,
}
"""Names of types in error messages about YAML, by pydantic's error types."""
TYPES_IN_PYTHON = {
    **TYPES,
    "finite_number": "a finite number",
    "bool_type": "True or False",
    **dict.fromkeys(("dict_type", "model_type"), "a dict"),
}
"""Names of types in error messages for calls from Python."""
_WRITTEN: dict[object, str] = {True: "true", False: "false", None: "null"}
_SHOULD = re.compile(r"^\w+ should ")
"""Beginning of pydantic's messages, such as "Input should be greater than 0"."""
_AFTER_VALIDATION = re.compile(r" after validation.*$")


def in_yaml(value: object) -> str:
    """Return a value as it is written in a configuration file."""
    if isinstance(value, bool | None):
        return _WRITTEN[value]
    return str(value) if isinstance(value, datetime.date) else shown(value)


class SettingError(InputError):
    """Invalid setting of a configuration.

    Parameters
    ----------
    keys : keys that lead to the setting
    what : description of the error, with the value
    hint : the allowed values or the nearest name
    """

    def __init__(self, keys: Keys, what: str, hint: str):
        super().__init__(".".join(map(str, keys)), what, hint)
        self.keys = tuple(keys)


@contextlib.contextmanager
def within(*keys: str | int) -> Iterator[None]:
    """Prepend keys to a SettingError raised in the block; convert other HintedErrors to SettingErrors."""
    try:
        yield
    except SettingError as error:
        raise SettingError((*keys, *error.keys), error.what, error.hint) from None
    except HintedError as error:
        raise SettingError(keys, error.sentence, error.hint) from None


def check_known(name: Any, known: Iterable[str], keys: Keys, what: str) -> None:
    """Raise a SettingError, with the nearest name as its hint, if a name is unknown."""
    if name not in (known := list(known)):
        raise SettingError(keys, what, nearest(name, known))


def validated(model: type[Model], given: object, in_python: bool = False) -> Model:
    """Validate a section strictly: a string is not accepted as a number, nor a number as a string.

    Parameters
    ----------
    given : content of the section, with strings as keys
    in_python : True if the values come from a call; hints then use Python's names of types

    Raises
    ------
    SettingError
        For the most deeply nested error, since it is the most specific one.
    """
    try:
        return model.model_validate(with_tuples(given), strict=True)
    except ValidationError as error:
        raise _most_specific(given, error.errors(include_url=False), in_python) from None


def with_tuples(given: Any) -> Any:
    """Replace lists and arrays by tuples, which strict models require."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, Mapping):
        return {key: with_tuples(value) for key, value in given.items()}
    return tuple(map(with_tuples, given)) if isinstance(given, list) else given


def _most_specific(given: object, errors: Sequence[Any], in_python: bool) -> SettingError:
    """Describe the most deeply nested error.

    If several types are allowed, the error for the type of the value is the most helpful one.
    """
    places = [_keys_of(given, error["loc"]) for error in errors]
    keys = max(places, key=len)
    here = [error for error, place in zip(errors, places, strict=True) if place == keys]
    chosen = next((error for error in here if error["type"] not in TYPES), here[0])
    names = TYPES_IN_PYTHON if in_python else TYPES
    if "[key]" in chosen["loc"]:
        expected = names.get(chosen["type"])  # names of environments may be any strings
        hint = f"it must be {expected}, such as '{keys[-1]}'" if expected else NAME_HINT
        return SettingError(keys, f"{shown(keys[-1])} is not a valid name", hint)
    fault = chosen.get("ctx", {}).get("error")
    if isinstance(fault, HintedError):
        further = fault.keys if isinstance(fault, SettingError) else filter(None, [fault.where])
        return SettingError((*keys, *further), fault.what, fault.hint)
    value = _value(given, keys)
    written = shown(value) if in_python else in_yaml(value)
    return SettingError(keys, f"{written} is not allowed", _hint(chosen, here, names))


def _hint(chosen: Any, here: Sequence[Any], names: Mapping[str, str]) -> str:
    """Return a hint that names the allowed types or values.

    Parameters
    ----------
    chosen : the described error
    here : all errors of the same value
    names : names of types by error type
    """
    if chosen["type"] == "bool_type" and chosen["input"] in ("true", "false"):
        return "it must be true or false without quotation marks (after --config, True or False)"
    if chosen["type"] in TYPES:
        types = list(dict.fromkeys(names[error["type"]] for error in here if error["type"] in names))
        if "a number" in types and "a whole number" in types:
            types.remove("a whole number")
        hint = "it must be " + " or ".join(types)
        return hint if names is TYPES_IN_PYTHON or "a text" not in types else hint + _quoting(chosen["input"])
    if chosen["type"] == "missing":
        return f"give {1 + max(int(error['loc'][-1]) for error in here if error['type'] == 'missing')} of them"
    return _SHOULD.sub("it must ", _AFTER_VALIDATION.sub("", chosen["msg"]))


def _quoting(value: object) -> str:
    """Return the end of a hint on a text that YAML reads as another type without quotes."""
    if isinstance(value, bool):
        word, others = ("yes", "on and true") if value else ("no", "off and false")
        return f'; put it in quotes, such as "{word}", since {word}, {others} have another meaning without them'
    return f'; put it in quotes: "{value}"' if isinstance(value, int | float | datetime.date) else ""


def _value(given: Any, keys: Keys) -> Any:
    for key in keys:
        given = given[key]
    return given


def _keys_of(given: Any, loc: Keys) -> tuple[str | int, ...]:
    """Return the keys of an error, without the type names that pydantic inserts if several types are allowed."""
    keys: list[str | int] = []
    inserted = False
    for part in loc:
        if len(keys) > 1 and keys[-2] in PARTS and not inserted:
            inserted = True  # an inserted part is the kind of the entry
        elif part in (given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()):
            keys.append(part)
            given = given[part]
    return tuple(keys)


def mapping(value: object, keys: Keys = ()) -> Mapping[str, Any]:
    """Return the value, after checking that it is a mapping.

    Parameters
    ----------
    keys : keys of the value, for the error

    Raises
    ------
    SettingError
        If it is not a mapping.
    """
    if not isinstance(value, Mapping):
        raise SettingError(keys, f"{in_yaml(value)} is not allowed", f"it must be {A_MAPPING}")
    return value
