"""The decorator of questions: it registers a function, and derives its section of a study from its signature."""

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
from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from surefoot.configuration.sections import Section
from surefoot.questions.settings import Question, QuestionOfRuns, QuestionSettings
from surefoot.questions.types import Role
from surefoot.registry import Registry

P = ParamSpec("P")
R = TypeVar("R")
ModelT = TypeVar("ModelT", bound=Section)
Runs: TypeAlias = pd.DataFrame | Mapping[str, Any]
"""Runs as a caller has them: a table, arrays by algorithm, or several such sets by name."""

QUESTIONS: Registry[type[Question]] = Registry("questions", packages=("surefoot.questions", "surefoot.papers"))
_SOURCES = {
    "runs": "runs",
    "outcomes": "runs",
    "plays": "plays",
    "evaluations": "runs_evaluations",
    "same_hyperparameters": "same_hyperparameters",
}
"""The usual source of a question of a run table, by the kind of the table; other questions need scores."""


def question(
    *,
    stage: Literal["aggregate", "estimate", "cover"],
    needs: str = "scores",
    section: type[Question] | None = None,
    **facts: Any,
) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[Concatenate[Runs, P], R]]:
    """Make a function a question: a study may ask it by its name, and a call takes runs as people have them.

    The function takes a table that is read and checked (of scores, `{name of the scale: table}` where the fact `sets`
    says so), and by keyword what its signature says; its types are those of `surefoot.questions.types`.

    Parameters
    ----------
    stage, facts : see `surefoot.questions.settings.Question` and those that derive from it
    needs : "scores", "curves", "means", "times" or "settings", of scores on a scale; or the kind of a run table:
        "runs", "plays", "evaluations", "outcomes" or "same_hyperparameters"
    section : what the question's section in a study has beside its arguments
    """

    def register(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Runs, P], R]:
        base = section or (QuestionOfRuns if needs in _SOURCES else QuestionSettings)
        model = _section(function, base, _SOURCES.get(needs))
        given = facts | {"stage": stage, "needs": needs, "function": staticmethod(function)}
        given["uses"] = tuple(name for name, role in roles(function).items() if role in _OF_STUDY)
        for name, fact in given.items():
            setattr(model, name, staticmethod(fact) if name == "check" else fact)
        QUESTIONS.add(function.__name__, model, function.__module__)

        @functools.wraps(function)
        def call(runs: Runs, *args: P.args, **kwargs: P.kwargs) -> R:
            # By its name: what reads runs decides no number of a study, whose tables are read already.
            answered: R = import_module("surefoot.questions.calling").call(model, runs, *args, **kwargs)
            return answered

        vars(call)["__signature__"] = _readable(function)
        return cast("Callable[Concatenate[Runs, P], R]", call)

    return register


def questions() -> dict[str, type[Question]]:
    """The section of each question by its name."""
    return QUESTIONS.complete()


def parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """What a question takes beside the runs."""
    return dict(list(inspect.signature(function).parameters.items())[1:])


def roles(function: Callable[..., Any]) -> dict[str, Role | None]:
    """The role of each parameter of a question, None for a key of its own."""
    marks = {name: FieldInfo.from_annotation(one.annotation).metadata for name, one in parameters(function).items()}
    return {name: next((mark for mark in marks[name] if isinstance(mark, Role)), None) for name in marks}


def name_in_programs(question: type[Question]) -> str:
    """What a program calls a question."""
    name: str = question.function.__name__
    public = import_module("surefoot").__all__  # by its name, since jobs do not import the public face
    return f"surefoot.{name}" if name in public else f"{question.function.__module__}.{name}"


_OF_STUDY = (Role.OF_STUDY, Role.OF_STUDY_BY_DEFAULT)


def _readable(function: Callable[..., Any]) -> inspect.Signature:
    """The signature as `help` prints it, without the bounds and descriptions of types, which the docstring has."""
    signature, plain = inspect.signature(function), get_type_hints(function)
    runs, *others = signature.parameters.values()
    others = [parameter.replace(annotation=_with_bars(plain[parameter.name])) for parameter in others]
    return signature.replace(parameters=[runs.replace(annotation=Runs), *others])


def _with_bars(annotation: Any) -> Any:
    """A type as sources write it: X | None in place of Optional[X], which Python makes of types with descriptions."""
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
            text = f"{FieldInfo.from_annotation(kind).description} By default the study's number."
            fields[name] = (kind | None, Field(None, description=text))
        elif role is None:
            fields[name] = (kind, default)
    return model_of(function, base, fields)


def model_of(function: Callable[..., Any], base: type[ModelT], fields: dict[str, Any]) -> type[ModelT]:
    """A model of arguments of a question."""
    return create_model(
        function.__name__,
        __base__=base,
        __doc__=(inspect.getdoc(function) or "").split("\n\n")[0],
        __module__=function.__module__,
        __cls_kwargs__={"use_attribute_docstrings": False},  # there is no class whose source has any
        **fields,
    )


def argument_fields(function: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """(type, default) of what a question takes beside the runs, `...` where it has to be given.

    A type is described as the parameter is in the docstring, unless it has a description of its own.
    """
    texts = _described_parameters(inspect.getdoc(function) or "")
    fields = {}
    for name, parameter in parameters(function).items():
        kind, default = parameter.annotation, parameter.default
        if name in texts and not FieldInfo.from_annotation(kind).description:
            kind = Annotated[kind, Field(description=texts[name])]
        fields[name] = (kind, ... if default is inspect.Parameter.empty else default)
    return fields


def _described_parameters(docstring: str) -> dict[str, str]:
    """What a NumPy docstring says of each parameter, in one line."""
    section = docstring.partition("\nParameters\n----------\n")[2].partition("\n\n")[0]
    parts = re.split(r"^(\w+)\n", section, flags=re.MULTILINE)[1:]
    return {name: " ".join(text.split()) for name, text in zip(parts[::2], parts[1::2], strict=True)}
