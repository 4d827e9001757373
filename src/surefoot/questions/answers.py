"""Answer the questions of a job; several answers are stored separately."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.files import sha256_file
from surefoot.build.fingerprint import fingerprint
from surefoot.build.log import logger
from surefoot.build.runner import Task
from surefoot.errors import HintedError
from surefoot.questions.checking import check_runs
from surefoot.questions.registry import QUESTIONS, roles
from surefoot.questions.results import Result
from surefoot.questions.settings import Question, QuestionSettings
from surefoot.questions.types import Role
from surefoot.result_tables import read_table, write_table


def answer(task: Task) -> None:
    """Write the answer of each question of the job."""
    tables = {name: read_table(path) for name, path in task.inputs.items()}
    asked = task.settings["questions"]
    shared: dict[str, Any] = {
        name: task.settings[name] for name in ("seed", "confidence", "replicates") if name in task.settings
    }
    hashes = {name: sha256_file(path) for name, path in task.inputs.items()}
    for number, (name, settings) in enumerate(asked.items(), 1):
        model = QUESTIONS.named(settings["kind"])
        if len(asked) == 1 or model.more:
            question, answers = _answered(name, settings, tables, shared, task.threads)
            for more in ("", *question.more):
                write_table(answers[more], task.outputs[f"{name}_{more}" if more else name], digits=question.digits)
            continue
        further_modules = task.settings.get("modules", {}).get(name, ())
        modules = (model.__module__, __name__, *further_modules)
        code = {module: fingerprint(module) for module in modules}

        def compute(path: Path, number: int = number, name: str = name, settings: Mapping[str, Any] = settings) -> None:
            logger.info(f"{name}: question {number} of {len(asked)}", extra={"progress": True})
            question, answers = _answered(name, settings, tables, shared, task.threads)
            write_table(answers[""], path, digits=question.digits)

        decisive = {"question": settings, "shared": shared, "code": code}
        task.unit("question", decisive, hashes, compute, task.outputs[name])


def _answered(
    name: str, given: Mapping[str, Any], tables: dict[str, pd.DataFrame], study: dict[str, Any], threads: int
) -> tuple[Question, dict[str, pd.DataFrame]]:
    """Return the question and its tables by name; the main table has the name ""."""
    settings = QUESTIONS.named(given["kind"]).model_validate(given)
    check_answerable(settings, tables, f"questions.{name}")
    try:
        result = answered(settings, tables, study, threads)
    except HintedError as error:
        raise InputError(f"questions.{name}", error.sentence, error.hint) from error
    except (ValueError, KeyError) as error:
        raise InputError(f"questions.{name}", str(error), "see the log") from error
    return settings, result.tables()


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
    runs = runs_of(settings, tables)
    several = isinstance(settings, QuestionSettings) and settings.sets != "one"
    result: Result = settings.function(runs if several else next(iter(runs.values())), **arguments)
    return result


def runs_of(settings: Question, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the runs that a question is asked of: by scale for a question of scores, otherwise {"runs": table}."""
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
    where : name of the question in errors

    Raises
    ------
    InputError
        If an algorithm is unknown, or a metric or an interval is not defined for this many runs.
    """
    if settings.needs not in ("means", "times"):  # whose tables do not have runs
        for runs in runs_of(settings, tables).values():
            check_runs(runs, settings, where)
