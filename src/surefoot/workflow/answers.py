"""Compute the result of a job's question."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.errors import HintedError, InputError
from surefoot.questions._framework.checking import check_runs
from surefoot.questions._framework.question_registry import QUESTIONS, roles
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Role
from surefoot.runs.result_tables import read_table, write_table
from surefoot.runs.setting_errors import SettingError
from surefoot.workflow.runner import Task


def answer(task: Task) -> None:
    """Write the result of the job's question."""
    tables = {name: read_table(path) for name, path in task.inputs.items()}
    given = task.settings["question"]
    settings = QUESTIONS.named(given["kind"]).model_validate(given)
    keys = ("questions", task.outputs["table"].stem)
    try:
        check_answerable(settings, tables, ".".join(keys))
    except InputError as error:
        raise SettingError(error.where.split("."), error.what, error.hint) from error
    try:
        answers = answered(settings, tables, task.settings, task.threads).tables()
    except HintedError as error:
        raise SettingError(keys, error.sentence, error.hint) from error
    except (ValueError, KeyError) as error:
        raise SettingError(keys, str(error), "see the log") from error
    for name, path in task.outputs.items():
        write_table(answers["" if name == "table" else name], path, digits=settings.digits)


def answered(settings: Question, tables: Mapping[str, pd.DataFrame], study: Mapping[str, Any], threads: int) -> Result:
    """Compute the result of a question of a study.

    Parameters
    ----------
    tables : input tables, by the names of `Question.inputs`
    study : the study's seed, confidence_level and n_resamples, as far as the question uses them
    """
    arguments: dict[str, Any] = {}
    for name, role in roles(settings.function).items():
        setting = None if role is Role.OF_STUDY else getattr(settings, name, None)
        if role is Role.TABLE:
            arguments[name] = tables.get(name)
        elif role in (Role.OF_STUDY, Role.OF_STUDY_BY_DEFAULT) and setting is None:
            arguments |= {name: study[name]} if name in study else {}
        elif role in (None, Role.OF_STUDY_BY_DEFAULT):
            arguments[name] = setting
        elif name == "threads":
            arguments[name] = threads
    runs = runs_of(settings, tables)
    several = isinstance(settings, QuestionSettings) and settings.sets != "one"
    result: Result = settings.function(runs if several else next(iter(runs.values())), **arguments)
    return result


def runs_of(settings: Question, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the runs for a question: by scale for a question about scores, otherwise {"runs": table}."""
    if not isinstance(settings, QuestionSettings):
        return {"runs": tables["runs"]}
    on_scale = dict(list(tables["scores"].groupby("scores")))
    kept = {name: on_scale[name].drop(columns="scores").dropna(axis=1, how="all") for name in settings.scores}
    return {name: rows.reset_index(drop=True) for name, rows in kept.items()}


def check_answerable(settings: Question, tables: Mapping[str, pd.DataFrame], where: str) -> None:
    """Check that runs can answer a question.

    Parameters
    ----------
    tables : input tables, by the names of `Question.inputs`
    where : name of the question in error messages

    Raises
    ------
    InputError
        If an algorithm is unknown, or a metric or an interval is not defined for the numbers of runs.
    """
    if settings.needs not in ("means", "times"):  # the tables for these two kinds have no runs
        for runs in runs_of(settings, tables).values():
            check_runs(runs, settings, where)
