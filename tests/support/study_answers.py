"""Answer questions as a study does."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pandas as pd

from surefoot.questions._framework.question_registry import questions, roles
from surefoot.questions._framework.question_settings import QuestionSettings
from surefoot.workflow.answers import answered

_OF_STUDIES = ("seed", "confidence_level", "n_resamples")


def ask(kind: str, sets: dict[str, pd.DataFrame], options: dict) -> pd.DataFrame:
    """Return the result of a question; `options` may include unused keys, and settings of the study."""
    model = questions()[kind]
    names = {field.alias or name for name, field in model.model_fields.items()}
    given = {key: value for key, value in options.items() if key in names - {"scores"}}
    of_study = {key: options[key] for key in _OF_STUDIES if key in options}
    if not issubclass(model, QuestionSettings):
        return answered(model(**given), sets, of_study, options.get("threads", 1)).table()
    settings = model(**given, scores=list(sets))
    named = [table.assign(scores=name) for name, table in sets.items()]
    tables = {"scores": pd.concat(named, ignore_index=True)}
    return answered(settings, tables, of_study, options.get("threads", 1)).table()


def function_of(kind: str) -> Callable[..., Any]:
    """Return the public function of a question."""
    return getattr(import_module(questions()[kind].function.__module__), kind)


def accepted(kind: str, options: dict) -> dict:
    """Return the options that the function of a question accepts."""
    return {name: value for name, value in options.items() if name in roles(questions()[kind].function)}
