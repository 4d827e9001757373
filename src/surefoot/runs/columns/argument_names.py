"""Check the names of arguments against the signature of a function."""

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from surefoot.errors import nearest

P = ParamSpec("P")
R = TypeVar("R")


def names_checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function to raise a TypeError with a hint for unknown and missing arguments."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound_arguments(function, signature, args, kwargs)
        return function(*args, **kwargs)

    return call


def bound_arguments(
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
