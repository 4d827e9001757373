"""What is wrong in a configuration, as one sentence for the person who wrote it: the value, the keys and a hint."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.sections import NAME_HINT, Section
from surefoot.errors import HintedError, shown

Keys = Sequence[str | int]
Model = TypeVar("Model", bound=Section)
A_MAPPING = "a mapping (keys with values, indented below it)"
TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "sequence_str": "a list",
    "is_instance_of": "a list",  # of another sequence, such as a mapping
    "dict_type": A_MAPPING,
    "model_type": A_MAPPING,
}
"""What a reader of YAML calls the types, by the errors that ask for them."""
TYPES_IN_PYTHON = {
    **TYPES,
    "finite_number": "a finite number",
    "bool_type": "True or False",
    **dict.fromkeys(("dict_type", "model_type"), "a dict"),
}
"""What a caller of functions calls them."""
_AROUND = re.compile(r"^(Input should be|\w+ should have) | after validation.*$")
"""What pydantic says around what is allowed, as of numbers that are too large, and of lists that are too short."""


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
        raise SettingError(keys, error.sentence, error.hint) from None


def check_known(name: str, known: Iterable[str], keys: Keys, what: str) -> None:
    """Raise a SettingError, whose hint is the nearest name, for a name that is not among those that are known."""
    if name not in (known := list(known)):
        raise SettingError(keys, what, nearest(name, known))


def validated(model: type[Model], given: object, in_python: bool = False) -> Model:
    """A section, checked by its model as strictly as JSON is: a text is no number, and a number no text.

    given : as the file has it, with texts as keys
    in_python : whether it comes from a call in place of a file, whose values hints write as Python does

    Raises
    ------
    SettingError
        for what lies deepest, since it is the most specific
    """
    try:
        return model.model_validate(with_tuples(given), strict=True)
    except ValidationError as error:
        raise _error_that_lies_deepest(given, error.errors(include_url=False), in_python) from None


def with_tuples(given: Any) -> Any:
    """A value with tuples in place of lists and arrays, which a strict model wants where it has been read from a
    file."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, Mapping):
        return {key: with_tuples(value) for key, value in given.items()}
    return tuple(map(with_tuples, given)) if isinstance(given, list) else given


def _error_that_lies_deepest(given: object, errors: Sequence[Any], in_python: bool) -> SettingError:
    named = TYPES_IN_PYTHON if in_python else TYPES
    places = [_keys_of(given, error["loc"]) for error in errors]
    keys = max(places, key=len)
    alike = [error for error, place in zip(errors, places, strict=True) if place == keys]
    # For a value that may have several types, the error of the one that it has says best what is wrong with it.
    chosen = next((error for error in alike if error["type"] not in TYPES), alike[0])
    kind = chosen["type"]
    if "[key]" in chosen["loc"]:
        # Names of environments may be any texts.
        hint = f"it must be {named[kind]}, such as '{keys[-1]}'" if kind in named else NAME_HINT
        return SettingError(keys, f"{shown(keys[-1])} is not a name", hint)
    if isinstance(fault := chosen.get("ctx", {}).get("error"), HintedError):
        return SettingError((*keys, *filter(None, [fault.where])), fault.what, fault.hint)
    if kind in TYPES:
        types = list(dict.fromkeys(named[one["type"]] for one in alike if one["type"] in named))
        if "a number" in types and "a whole number" in types:
            types.remove("a whole number")
        hint = "it must be " + " or ".join(types)
    elif kind == "missing":
        hint = f"{1 + max(int(one['loc'][-1]) for one in alike if one['type'] == kind)} of them"
    else:
        hint = f"allowed: {_AROUND.sub('', chosen['msg'])}"
    value: Any = given
    for key in keys:
        value = value[key]
    return SettingError(keys, f"{shown(value)} is not allowed", hint)


def _keys_of(given: Any, loc: Keys) -> tuple[str | int, ...]:
    """The keys of an error's place; pydantic adds names of types between them where there are several."""
    keys: list[str | int] = []
    for part in loc:
        if part in (given if isinstance(given, Mapping) else range(len(given)) if isinstance(given, list) else ()):
            keys.append(part)
            given = given[part]
    return tuple(keys)


def mapping(value: object) -> Mapping[str, Any]:
    """The value, where it is a mapping.

    Raises
    ------
    SettingError
    """
    if not isinstance(value, Mapping):
        raise SettingError([], f"{shown(value)} is not allowed", f"it must be {A_MAPPING}")
    return value
