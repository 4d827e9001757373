"""Arguments of public functions that are no questions: values of other types than the signature names are refused."""

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from surefoot.build.errors import InputError
from surefoot.errors import shown

P = ParamSpec("P")
R = TypeVar("R")


def types_checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that raises an InputError for an argument of another type than its signature names.

    The first argument, which is data, is left to the function. Arrays may stand for lists. Values are passed on as they
    are given.
    """
    signature, hints = inspect.signature(function), get_type_hints(function)
    named = [one for one in list(signature.parameters.values())[1:] if one.kind is not one.VAR_KEYWORD]
    types: dict[str, TypeAdapter[object]] = {one.name: TypeAdapter(hints[one.name]) for one in named}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs).arguments
        for name in types.keys() & given.keys():
            value = list(given[name]) if isinstance(given[name], range) else given[name]
            try:
                types[name].validate_python(value.tolist() if hasattr(value, "tolist") else value, strict=True)
            except ValidationError:
                allowed = inspect.formatannotation(signature.parameters[name].annotation)
                where, hint = f"surefoot.{function.__name__}: {name}", allowed.replace("collections.abc.", "")
                raise InputError(where, f"{shown(value)} is not allowed", f"its type is {hint}") from None
        return function(*args, **kwargs)

    return call
