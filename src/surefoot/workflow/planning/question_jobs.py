"""Plan the jobs of the questions of a study."""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from surefoot.questions._framework.question_settings import Question, QuestionOfRuns, QuestionSettings
from surefoot.questions.coverage import numbers_of_datasets
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS, INTERVAL_METHODS
from surefoot.workflow.job import Job
from surefoot.workflow.measured_seconds import SECONDS_OF_A_BATCH, seconds_of_intervals


class Asked(NamedTuple):
    """A question of a study.

    inputs : paths of the question's input tables, by the names in `Question.inputs`
    shared : the study's seed, confidence_level and n_resamples
    """

    study: str
    name: str
    settings: Question
    inputs: dict[str, str]
    shared: Mapping[str, Any]


def question_jobs(
    study: str, questions: Mapping[str, Question], tables: Mapping[str, str], shared: Mapping[str, Any]
) -> list[Job]:
    """Return the jobs of all questions whose tables are available, one for each question.

    Kinds of questions with their own planning function may have several jobs.

    Parameters
    ----------
    study : str
    questions : mapping of str to Question
    tables : mapping of str to str
        Paths of all available tables: "source:<table>" and "scale:<name>".
    shared : mapping
        The study's seed, confidence_level and n_resamples.
    """
    # Results are added as "question:<kind>" or "question:<kind>:<source>", since later questions may use them.
    available = dict(tables)
    jobs: list[Job] = []
    for name, settings in questions.items():
        wanted = settings.inputs()
        if not available.keys() >= {*wanted.values()}:
            continue
        asked = Asked(study, name, settings, {key: available[table] for key, table in wanted.items()}, shared)
        own = _PLANS.get(settings.kind, _question_job)(asked)
        jobs += own
        if not isinstance(settings, QuestionSettings):
            of = f":{settings.source}" if isinstance(settings, QuestionOfRuns) else ""
            for job in own:
                for table, path in job.outputs.items():
                    key = job.part if table == "table" else f"{job.part}_{table}"
                    available[f"question:{settings.kind}{key.removeprefix(name)}{of}"] = path
    return jobs


def _question_job(asked: Asked) -> list[Job]:
    return [_job(asked, asked.name, asked.settings, asked.settings.uses)]


def _job(asked: Asked, part: str, settings: Question, uses: Collection[str], modules: tuple[str, ...] = ()) -> Job:
    """Return the job that answers a question.

    Parameters
    ----------
    asked : Asked
    part : str
        Name of the result.
    settings : Question
    uses : collection of str
        Names of the study's settings (seed, confidence_level, n_resamples) that determine the result.
    modules : tuple of str
        Further modules that determine the result.
    """
    stage = settings.stage
    shared = {key: value for key, value in asked.shared.items() if key in uses}
    path = f"results/{stage}/{asked.study}/{part}"
    outputs = {"table": f"{path}.csv"} | {more: f"{path}_{more}.csv" for more in settings.more}
    rule = "_".join([stage, *(["with", *settings.more] if settings.more else [])])
    code = (type(settings).__module__, *modules)
    chosen = {"question": settings.decisive(), **shared}
    return Job(stage, asked.study, part, rule, chosen, code, asked.inputs, outputs)


def _game_interval_jobs(asked: Asked) -> list[Job]:
    """Return one job for each method; results are named after the methods."""
    settings: Any = asked.settings
    jobs = []
    for method in settings.methods:
        left_out = {} if _resamples(method) else {"n_resamples": None}
        question = settings.model_copy(update={"methods": (method,)} | left_out)
        uses = ("seed", "confidence_level", *(["n_resamples"] if _resamples(method) else []))
        jobs.append(_job(asked, _name_of_method(asked, method), question, uses, (ESTIMATORS[method],)))
    return jobs


def _resamples(method: str) -> bool:
    return method in INTERVAL_METHODS and INTERVAL_METHODS[method].resamples


def _name_of_method(asked: Asked, method: str) -> str:
    return method if asked.name == asked.settings.kind else f"{asked.name}.{method}"


def _coverage_jobs(asked: Asked) -> list[Job]:
    """Return the jobs of a coverage question: blocks of data sets of one size each, and the summary of all blocks."""
    settings: Any = asked.settings
    study = asked.study
    name = asked.name
    pool = {"pool": asked.inputs["runs"]}
    modules = tuple(ESTIMATORS[method] for method in settings.methods)
    options = settings.plain()
    keys = ("methods", "confidence_level", "n_resamples", "variants", "design", "block")
    shared = {key: options[key] for key in keys if key in options} | {"seed": asked.shared["seed"]}
    made = []
    start = 0
    for size, datasets in zip(settings.sizes, numbers_of_datasets(settings.sizes, settings.datasets), strict=True):
        step = datasets
        if settings.batch == "block":
            methods = len(settings.methods) * len(settings.variants)
            seconds = settings.block * seconds_of_intervals(methods, size, settings.n_resamples)
            step = settings.block * math.ceil(SECONDS_OF_A_BATCH / seconds)  # whole blocks, at least one
        for first in range(0, datasets, step):
            part = f"{name}.{size}" if settings.batch == "size" else f"{name}.{size}.{first // step}"
            chosen = shared | {"size": size, "start": start, "first": first, "datasets": min(step, datasets - first)}
            output = {"intervals": f"results/cover/{study}/{part}.parquet"}
            made.append(Job("cover", study, part, "cover_block", chosen, modules, pool, output))
        start += size * datasets if settings.design == "cut" else 0
    inputs = {job.part: job.outputs["intervals"] for job in made} | pool
    output = {"summary": f"results/cover/{study}/{name}.parquet"}
    return [*made, Job("cover", study, name, "cover_summary", {}, (), inputs, output)]


_PLANS: dict[str, Callable[[Asked], list[Job]]] = {
    "coverage": _coverage_jobs,
    "evaluation_game_intervals": _game_interval_jobs,
}
"""Planning functions for kinds of questions that need more than one job."""
