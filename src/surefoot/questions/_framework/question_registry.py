"""Decorator that registers a function as a question, and derives the model of its settings in a study."""

import functools
import inspect
import operator
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import (
    Annotated,
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import pandas as pd
from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from surefoot.questions._framework.question_settings import Question, QuestionOfRuns, QuestionSettings
from surefoot.questions._framework.types import Role
from surefoot.registry import Registry

P = ParamSpec("P")
R = TypeVar("R")
ModelT = TypeVar("ModelT", bound=BaseModel)
Runs: TypeAlias = pd.DataFrame | Mapping[str, Any]
"""Runs in any form that questions accept: a table, arrays by algorithm, or several sets of these by name."""

QUESTIONS: Registry[type[Question]] = Registry("questions", packages=("surefoot.questions", "surefoot.papers"))
_LINK = re.compile(r"\[([^\]]+)\]\(#sec-[\w-]+\)")
"""Link to a section of the page "Methods", which `help` shows as its text."""
_SOURCES = {
    "runs": "runs",
    "outcomes": "runs",
    "plays": "plays",
    "evaluations": "runs_evaluations",
    "same_hyperparameters": "same_hyperparameters",
}
"""Default source of a question about a run table, by the kind of the table."""


def question(
    *,
    stage: Literal["aggregate", "estimate", "cover"],
    needs: str = "scores",
    section: type[Question] | None = None,
    **facts: Any,
) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[Concatenate[Runs, P], R]]:
    """Register a function as a question, which studies can name and programs can call with runs in any form.

    The function receives a validated table (or a dict of tables, depending on the attribute `sets`) and keyword
    arguments with the types of `surefoot.questions._framework.types`.

    Parameters
    ----------
    stage, facts : attributes of `surefoot.questions._framework.question_settings.Question` and its subclasses
    needs : "scores", "curves", "means", "times" or "settings" for scores on a scale; or the kind of a run table, which
        is "runs", "plays", "evaluations", "outcomes" or "same_hyperparameters"
    section : base class of the model, with further settings of the question
    """

    def register(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Runs, P], R]:
        base = section or (QuestionOfRuns if needs in _SOURCES else QuestionSettings)
        model = _section(function, base, _SOURCES.get(needs))
        attributes = facts | {"stage": stage, "needs": needs, "function": staticmethod(function)}
        attributes["unchecked"] = tuple(name for name, role in roles(function).items() if role in _UNCHECKED)
        attributes["uses"] = tuple(name for name, role in roles(function).items() if role in _OF_STUDY)
        for name, fact in attributes.items():
            setattr(model, name, staticmethod(fact) if name == "check" else fact)
        QUESTIONS.add(function.__name__, model, function.__module__)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> R:
            # Imported by name, so that this code is not part of the fingerprint of a study. The tables of a study were
            # checked before, so its results do not depend on it.
            answered: R = import_module("surefoot.questions._framework.calling").call(model, *args, **kwargs)
            return answered

        vars(call)["__signature__"] = _readable(function)
        call.__doc__ = _LINK.sub(r"\1", function.__doc__ or "")
        return cast("Callable[Concatenate[Runs, P], R]", call)

    return register


def questions() -> dict[str, type[Question]]:
    """Return the model of each question, by name."""
    return QUESTIONS.complete()


def parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of the function of a question, except the runs."""
    return dict(list(inspect.signature(function).parameters.items())[1:])


def roles(function: Callable[..., Any]) -> dict[str, Role | None]:
    """Return the role of each parameter of a question's function; None for parameters without a role."""
    marks = {name: FieldInfo.from_annotation(one.annotation).metadata for name, one in parameters(function).items()}
    return {name: next((mark for mark in marks[name] if isinstance(mark, Role)), None) for name in marks}


def name_in_programs(question: type[Question]) -> str:
    """Return the name under which Python programs call a question."""
    name: str = question.function.__name__
    public = import_module("surefoot").__all__  # imported by name, since jobs do not import the public module
    return f"surefoot.{name}" if name in public else f"{question.function.__module__}.{name}"


_OF_STUDY = (Role.OF_STUDY, Role.OF_STUDY_BY_DEFAULT)
_UNCHECKED = (Role.TABLE, Role.AS_GIVEN)


def _readable(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature that `help` displays, without the bounds and descriptions in the types."""
    signature = inspect.signature(function)
    plain = get_type_hints(function)
    runs, *others = signature.parameters.values()
    others = [parameter.replace(annotation=_with_bars(plain[parameter.name])) for parameter in others]
    return signature.replace(parameters=[runs.replace(annotation=Runs), *others])


def _with_bars(annotation: Any) -> Any:
    """Convert Optional[X] to X | None, since Python turns unions of annotated types into Optional."""
    return functools.reduce(operator.or_, get_args(annotation)) if get_origin(annotation) is Union else annotation


def _section(function: Callable[..., Any], base: type[Question], source: str | None) -> type[Question]:
    name = function.__name__
    fields: dict[str, Any] = {"kind": (Literal[name], name)}
    if source is not None:
        fields["source"] = (str, Field(source, description=base.model_fields["source"].description))
    kinds = roles(function)
    for name, (kind, default) in argument_fields(function).items():
        role = kinds[name]
        if role is Role.OF_STUDY_BY_DEFAULT:
            text = f"{FieldInfo.from_annotation(kind).description} Default: the value of the study."
            fields[name] = (kind | None, Field(None, description=text))
        elif role is None:
            fields[name] = (kind, default)
    return model_of(function, base, fields)


def model_of(function: Callable[..., Any], base: type[ModelT], fields: dict[str, Any]) -> type[ModelT]:
    """Create a model of the arguments of a question."""
    return create_model(
        function.__name__,
        __base__=base,
        __doc__=(inspect.getdoc(function) or "").split("\n\n")[0],
        __module__=function.__module__,
        __cls_kwargs__={"use_attribute_docstrings": False},  # created models have no source code
        **fields,
    )


def argument_fields(function: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """Return the type and the default of each parameter except the runs; the default is `...` if it is required.

    Types without a description get the one in the docstring.
    """
    texts = _described_parameters(inspect.getdoc(function) or "")
    fields = {}
    for name, parameter in parameters(function).items():
        kind = parameter.annotation
        default = parameter.default
        if name in texts and not FieldInfo.from_annotation(kind).description:
            kind = Annotated[kind, Field(description=texts[name])]
        fields[name] = (kind, ... if default is inspect.Parameter.empty else default)
    return fields


def _described_parameters(docstring: str) -> dict[str, str]:
    """Return the description of each parameter in a numpydoc docstring, as one line."""
    section = docstring.partition("\nParameters\n----------\n")[2].partition("\n\n")[0]
    parts = re.split(r"^(\w+)(?: : .*)?\n", section, flags=re.MULTILINE)[1:]
    return {name: " ".join(text.split()) for name, text in zip(parts[::2], parts[1::2], strict=True)}
