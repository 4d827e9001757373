"""Check the types of arguments against the signature of a function."""

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, get_type_hints

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from surefoot.errors import InputError, nearest, shown
from surefoot.runs.given.arrays import table_of_runs

P = ParamSpec("P")
R = TypeVar("R")


def types_checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function to raise an InputError for arguments whose types do not match its signature.

    The first argument is data and is not checked. If it is annotated as a DataFrame, its columns get the usual names,
    and a dict of arrays is converted to a table. All other arguments are passed on unchanged; where a list is expected,
    an array or a range is accepted too.
    """
    signature = inspect.signature(function)
    hints = get_type_hints(function)
    first = next(iter(signature.parameters))
    takes_runs = hints[first] is pd.DataFrame
    named = [one for one in list(signature.parameters.values())[1:] if one.kind is not one.VAR_KEYWORD]
    types: dict[str, TypeAdapter[object]] = {one.name: TypeAdapter(hints[one.name]) for one in named}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        arguments = _bound(function, signature, args, kwargs)
        passed: tuple[Any, ...] = args
        if takes_runs:
            runs = table_of_runs(f"surefoot.{function.__name__}", arguments[first])
            kwargs.pop(first, None)
            passed = (runs, *args[1:])
        for name in types.keys() & arguments.keys():
            value = list(arguments[name]) if isinstance(arguments[name], range) else arguments[name]
            try:
                types[name].validate_python(value.tolist() if hasattr(value, "tolist") else value, strict=True)
            except ValidationError:
                allowed = inspect.formatannotation(signature.parameters[name].annotation)
                where = f"surefoot.{function.__name__}: {name}"
                hint = allowed.replace("collections.abc.", "")
                raise InputError(where, f"{shown(value)} is not allowed", f"its type must be {hint}") from None
        return function(*passed, **kwargs)

    return call


def names_checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function to raise a TypeError with a hint for unknown and missing arguments."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        _bound(function, signature, args, kwargs)
        return function(*args, **kwargs)

    return call


def _bound(
    function: Callable[..., Any], signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call by name, or raise a TypeError with a hint."""
    try:
        return signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        what = str(error)
        hint = _example(function)
        if missing := re.fullmatch(r"missing a required argument: '(\w+)'", what):
            what = f"{missing[1]} is missing"
        for unknown in (one for one in kwargs if f"argument '{one}'" in what):
            what = f'unknown argument "{unknown}"'
            hint = nearest(unknown, signature.parameters)
        raise TypeError(f"surefoot.{function.__name__}: {what}. Hint: {hint}") from None


def _example(function: Callable[..., Any]) -> str:
    """Return a call of a function from the examples in its docstring, or where to find an example."""
    name = function.__name__
    call = re.search(rf"^ *>>> .*?({name}\([^()]+\))", inspect.getdoc(function) or "", re.MULTILINE)
    return f"surefoot.{call[1]}" if call else f"see the example in help(surefoot.{name})"
