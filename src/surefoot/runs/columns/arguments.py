"""Check the types of arguments against the signature of a function."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, get_type_hints

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from surefoot.errors import InputError, shown
from surefoot.runs.columns.argument_names import bound_arguments
from surefoot.runs.given.given_arrays import table_of_runs

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
        arguments = bound_arguments(function, signature, args, kwargs)
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
