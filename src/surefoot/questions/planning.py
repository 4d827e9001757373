"""Plan the jobs of the questions of a study."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.job import MANY_RESAMPLES, Job
from surefoot.measured_seconds import SECONDS_OF_A_BATCH, seconds_of_intervals
from surefoot.questions.coverage import numbers_of_datasets
from surefoot.questions.settings import Question, QuestionOfRuns, QuestionSettings
from surefoot.statistics.intervals.catalogue import ESTIMATORS, INTERVAL_METHODS

_ANSWER = "surefoot.questions.answers:answer"


class Asked(NamedTuple):
    """A question of a study.

    inputs : paths of its input tables, by the names that its answer uses
    shared : the study's seed, confidence and replicates
    """

    study: str
    name: str
    settings: Question
    inputs: dict[str, str]
    shared: Mapping[str, Any]


def question_jobs(
    study: str, questions: Mapping[str, Question], tables: Mapping[str, str], shared: Mapping[str, Any]
) -> list[Job]:
    """Return the jobs of all questions whose tables are available.

    Starting a process costs as much as most answers, so questions of one stage with the same tables are answered in one
    job. Kinds that plan their own jobs are planned separately.

    Parameters
    ----------
    tables : paths of all available tables: "source:<table>" and "scale:<name>"
    shared : the study's seed, confidence and replicates
    """
    # Completed with "question:<kind>" (":<source>" for a question of runs), for questions that come later.
    available = dict(tables)
    groups: dict[tuple[str, ...], list[Asked]] = {}
    jobs: dict[tuple[str, ...], list[Job]] = {}
    for name, settings in questions.items():
        wanted = settings.inputs()
        if not available.keys() >= {*wanted.values()}:
            continue
        asked = Asked(study, name, settings, {key: available[table] for key, table in wanted.items()}, shared)
        plan = _PLANS.get(settings.kind)
        if plan is not None:
            jobs[name,] = plan(asked)
            made = {key: path for job in jobs[name,] for key, path in job.outputs.items()}
        else:
            key = (settings.stage, getattr(settings, "group", ""), repr(asked.inputs))
            groups.setdefault(key, []).append(asked)
            jobs[key] = [_group_job(groups[key])]
            made = _outputs(settings.stage, study, {name: settings})
        if not isinstance(settings, QuestionSettings):
            of = f":{settings.source}" if isinstance(settings, QuestionOfRuns) else ""
            available |= {f"question:{settings.kind}{key.removeprefix(name)}{of}": path for key, path in made.items()}
    return [job for each in jobs.values() for job in each]


def _group_job(group: Sequence[Asked]) -> Job:
    """Return the job of questions with the same tables."""
    first = group[0]
    part = first.name if len(group) == 1 else f"{first.name}_and_others"
    if isinstance(first.settings, QuestionSettings):
        part = "_".join(filter(None, [Path(first.inputs["scores"]).stem, first.settings.group]))
    uses = {key for asked in group for key in asked.settings.uses}
    return _job(first, part, {asked.name: asked.settings for asked in group}, uses, {})


def _job(
    asked: Asked,
    part: str,
    questions: Mapping[str, Question],
    uses: Collection[str],
    modules: Mapping[str, tuple[str, ...]],
) -> Job:
    """Return the job of questions that share the tables of one of them.

    Parameters
    ----------
    uses : the study's settings (of seed, confidence and replicates) that determine the answers
    modules : further modules that determine the answers, by the name of the question
    """
    chosen = {name: settings.decisive() for name, settings in questions.items()}
    more = {name: list(modules[name]) for name in questions if modules.get(name)}
    code = dict.fromkeys(
        module for name, question in questions.items() for module in (type(question).__module__, *modules.get(name, ()))
    )
    shared = {key: value for key, value in asked.shared.items() if key in uses}
    settings = {"questions": chosen, **shared} | ({"modules": more} if len(questions) > 1 and more else {})
    stage = asked.settings.stage
    outputs = _outputs(asked.settings.stage, asked.study, questions)
    return Job(stage, asked.study, part, _ANSWER, settings, tuple(code), asked.inputs, outputs)


def _outputs(stage: str, study: str, questions: Mapping[str, Question]) -> dict[str, str]:
    """Return the paths of the tables that answer questions."""
    names = ("_".join([name, *more]) for name, each in questions.items() for more in ([], *([it] for it in each.more)))
    return {name: f"results/{stage}/{study}/{name}.csv" for name in names}


def _game_interval_jobs(asked: Asked) -> list[Job]:
    """Return one job for all methods, and with many resamples one job for each resampling method.

    Answers are named after their methods.
    """
    settings: Any = asked.settings
    many = (settings.replicates or asked.shared["replicates"]) >= MANY_RESAMPLES
    alone = [method for method in settings.methods if many and _resamples(method)]
    together = [method for method in settings.methods if method not in alone]
    groups = [(together, asked.name)] if together else []
    groups += [([method], _name_of_method(asked, method)) for method in alone]
    jobs = []
    for methods, part in groups:
        questions = {}
        modules = {}
        for method in methods:
            left_out = {} if _resamples(method) else {"replicates": None}
            name = _name_of_method(asked, method)
            questions[name] = settings.model_copy(update={"methods": (method,)} | left_out)
            modules[name] = (ESTIMATORS[method],)
        uses = ("seed", "confidence", *(["replicates"] if any(map(_resamples, methods)) else []))
        jobs.append(_job(asked, part, questions, uses, modules))
    return jobs


def _resamples(method: str) -> bool:
    return method in INTERVAL_METHODS and INTERVAL_METHODS[method].resamples


def _name_of_method(asked: Asked, method: str) -> str:
    return method if asked.name == asked.settings.kind else f"{asked.name}.{method}"


def _coverage_jobs(asked: Asked) -> list[Job]:
    """Return the jobs of coverage: blocks of data sets of one size, and the summary of all."""
    settings: Any = asked.settings
    study = asked.study
    name = asked.name
    pool = {"pool": asked.inputs["runs"]}
    modules = tuple(ESTIMATORS[method] for method in settings.methods)
    options = settings.plain()
    keys = ("methods", "confidence", "replicates", "variants", "design", "block")
    shared = {key: options[key] for key in keys if key in options} | {"seed": asked.shared["seed"]}
    made = []
    start = 0
    for size, datasets in zip(settings.sizes, numbers_of_datasets(settings.sizes, settings.datasets), strict=True):
        step = datasets
        if settings.batch == "block":
            methods = len(settings.methods) * len(settings.variants)
            seconds = settings.block * seconds_of_intervals(methods, size, settings.replicates)
            step = settings.block * math.ceil(SECONDS_OF_A_BATCH / seconds)  # whole blocks, at least one
        for first in range(0, datasets, step):
            part = f"{name}.{size}" if settings.batch == "size" else f"{name}.{size}.{first // step}"
            chosen = shared | {"size": size, "start": start, "first": first, "datasets": min(step, datasets - first)}
            output = {"intervals": f"results/cover/{study}/{part}.parquet"}
            made.append(Job("cover", study, part, "surefoot.questions.blocks:intervals", chosen, modules, pool, output))
        start += size * datasets if settings.design == "cut" else 0
    inputs = {job.part: job.outputs["intervals"] for job in made} | pool
    output = {"summary": f"results/cover/{study}/{name}.parquet"}
    return [*made, Job("cover", study, name, "surefoot.questions.blocks:summary", {}, (), inputs, output)]


_PLANS: dict[str, Callable[[Asked], list[Job]]] = {"coverage": _coverage_jobs, "game_intervals": _game_interval_jobs}
"""Planning functions of the kinds of questions that are not answered in one job."""
