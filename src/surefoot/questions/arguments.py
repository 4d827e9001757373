"""The arguments of the functions of questions: the fields of a question's settings, and those of `SharedSettings`."""

import functools
import json
import operator
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import ValidationError, create_model
from pydantic.fields import FieldInfo

from surefoot.configuration.validation_errors import BOUNDS, KINDS
from surefoot.errors import HintedError, shown
from surefoot.questions.registry import questions
from surefoot.questions.settings import Grid, Question, SharedSettings

_HINTS = (
    KINDS
    | {name: hint for name, (_, hint) in BOUNDS.items()}
    | {
        "too_short": "at least {min_length} of them",
        "too_long": "at most {max_length} of them",
        "literal_error": "one of {expected}",
        "finite_number": "a finite number",
        "bool_type": "True or False",
    }
)
"""What is allowed, by the kind of an error of pydantic's."""


@functools.cache
def arguments(question: str) -> type[Question]:
    """The settings of a question with those that all questions share, which also fill what it leaves to them."""
    own = questions()[question]
    shared: dict[str, Any] = {
        name: (field.annotation, field)
        for name, field in SharedSettings.model_fields.items()
        if name not in own.model_fields or own.model_fields[name].default is None
    }
    return create_model(f"{question}_arguments", __base__=own, **shared)


def argument_fields(question: str) -> dict[str, FieldInfo]:
    """What the function of a question takes beside the runs."""
    fields = arguments(question).model_fields
    left_out = {*questions()[question].only_in_studies, *questions()[question].shown_only}
    return {name: field for name, field in fields.items() if name not in left_out}


def described(field: FieldInfo) -> FieldInfo:
    """The field, or the part of its type that has the description, where that is one of several."""
    for part in () if field.description else get_args(field.annotation):
        for found in getattr(part, "__metadata__", ()):
            if isinstance(found, FieldInfo) and found.description:
                return found
    return field


def plain_type(annotation: Any) -> Any:
    """A type without its bounds."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return plain_type(parts[0])
    if origin is tuple:
        members = tuple(part if part is Ellipsis else plain_type(part) for part in parts)
        return tuple.__class_getitem__(members)
    if origin is dict:
        return dict.__class_getitem__(tuple(map(plain_type, parts)))
    if origin in (Union, UnionType):
        return functools.reduce(operator.or_, map(plain_type, parts))
    return annotation


def settings_of(question: str, given: Mapping[str, object]) -> Question:
    """The settings, checked as strictly as those of a study: a text is not a number, and True is none. Their sets of
    scores are still to be named.

    Parameters
    ----------
    given : values of arguments that there are; arrays, ranges and metrics may stand for lists and texts, and one text
        or number for a list of one

    Raises
    ------
    TypeError : an argument is missing
    ValueError : a value is not allowed
    """
    fields = argument_fields(question)
    written = {name: _written(question, name, value) for name, value in given.items()}
    for name, value in written.items():
        if isinstance(value, int | float) and name == "thresholds":
            hint = f"numpy.linspace(0, 1, {value}) for so many, [{value}] for this one"
            raise HintedError(f"surefoot.{question}: thresholds", f"{value} is one threshold", hint)
        if isinstance(value, str | int | float) and _takes_several(fields[name]):
            written[name] = [value]
    try:
        settings = arguments(question).model_validate_json(json.dumps(written), strict=True)
    except ValidationError as problem:
        raise _sentence(question, problem) from None
    return settings


def _written(question: str, name: str, value: object) -> Any:
    """A value as a file would have it: arrays, ranges and tuples are lists, and metrics are texts."""
    from surefoot.statistics.metrics.catalogue import Metric, metric

    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Metric):
        meant = metric(value)
        exact = f"{meant.name}({meant.parameter}) weighted by {meant.weighting}"
        return str(meant) if metric(str(meant)) == meant else exact
    if isinstance(value, Grid):
        return value.model_dump(by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): _written(question, name, part) for key, part in value.items()}
    if hasattr(value, "tolist"):
        return _written(question, name, value.tolist())
    if isinstance(value, Iterable):
        return [_written(question, name, part) for part in value]
    allowed = 'names such as "iqm", for rliable\'s aggregate_iqm' if name == "metrics" else "numbers, texts and lists"
    raise HintedError(f"surefoot.{question}", f"{name}: a {type(value).__name__} is not allowed", allowed)


def _takes_several(field: FieldInfo) -> bool:
    kind = plain_type(field.annotation)
    ways = (kind,) if get_origin(kind) is tuple else get_args(kind)
    return any(get_origin(way) is tuple for way in ways) and not {str, int, float}.intersection(ways)


def _sentence(question: str, problem: ValidationError) -> HintedError | TypeError:
    """What is wrong, by the error that lies deepest: of several ways to read a value, it tells of the nearest."""
    error = max(problem.errors(), key=lambda error: len(error["loc"]))
    place = [part for part in error["loc"] if part != "Grid" and "[" not in str(part)]
    if not place:  # of several arguments that do not go together
        fault = error["ctx"]["error"]
        return HintedError(f"surefoot.{question}", fault.told, fault.hint)
    field = described(argument_fields(question)[str(place[0])])
    path = ".".join(map(str, place))
    where = f"surefoot.{question}: {path}"
    if error["type"] == "missing" and len(place) == 1:
        return TypeError(f"{where} is missing. Hint: {field.description}")
    if error["type"] in ("missing", "extra_forbidden"):
        found = "missing" if error["type"] == "missing" else "unknown"
        such_as = f"such as {field.examples[0]}" if field.examples else field.description or ""
        return HintedError(f"surefoot.{question}", f"{path} is {found}", such_as)
    if error["type"] == "value_error":
        fault = error["ctx"]["error"]
        if isinstance(fault, HintedError):
            return HintedError(where, fault.told, fault.hint)
        return HintedError(where, str(fault), field.description or "")
    hint = _HINTS.get(error["type"], error["msg"]).format(**error.get("ctx", {}))
    if field.examples and error["type"] in ("tuple_type", "list_type"):
        hint = f"such as {field.examples[0]}"
    return HintedError(where, f"{shown(error['input'])} is not allowed", hint)
