"""Answer the question of a job."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.runner import Task
from surefoot.errors import HintedError
from surefoot.questions.registry import QUESTIONS, roles
from surefoot.questions.results import Result
from surefoot.questions.settings import Question, QuestionSettings
from surefoot.questions.types import Role
from surefoot.result_tables import read_table, write_table


def answer(task: Task) -> None:
    """Write the answer of the question of the job."""
    tables = {name: read_table(path) for name, path in task.inputs.items()}
    given = task.settings["question"]
    settings = QUESTIONS.named(given["kind"]).model_validate(given)
    try:
        answers = answered(settings, tables, task.settings, task.threads).tables()
    except HintedError as error:
        raise InputError(f"questions.{given['kind']}", error.sentence, error.hint) from error
    except (ValueError, KeyError) as error:
        raise InputError(f"questions.{given['kind']}", str(error), "see the log") from error
    for name, path in task.outputs.items():
        write_table(answers["" if name == "table" else name], path, digits=settings.digits)


def answered(settings: Question, tables: Mapping[str, pd.DataFrame], study: Mapping[str, Any], threads: int) -> Result:
    """Return the answer to a question of a study.

    Parameters
    ----------
    tables : input tables, by the names of `Question.inputs`
    study : the study's seed, confidence and replicates, as far as the question takes them
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
    runs: Any = tables.get("runs")
    if isinstance(settings, QuestionSettings):  # its table has the scores on each of its scales
        on_scale = dict(list(tables["scores"].groupby("scores")))
        kept = {name: on_scale[name].drop(columns="scores").dropna(axis=1, how="all") for name in settings.scores}
        runs = {name: rows.reset_index(drop=True) for name, rows in kept.items()}
        runs = runs if settings.sets != "one" else runs[settings.scores[0]]
    result: Result = settings.function(runs, **arguments)
    return result
