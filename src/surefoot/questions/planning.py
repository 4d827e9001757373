"""The jobs of the questions of a study."""

import functools
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.job import Job
from surefoot.questions.registry import answer_module, settings_module
from surefoot.questions.settings import Question, QuestionOfRuns, QuestionSettings

_HERE = Path(__file__).parent
_ANSWER = "surefoot.questions.answers:answer"


class Asked(NamedTuple):
    """A question of a study.

    tables : paths of all that it may take: "source:<table>", "scale:<name>" and "question:<kind>" (of a
        question of runs with ":<source>"), of questions that come before it
    shared : the study's seed, confidence and replicates
    """

    study: str
    name: str
    settings: Question
    tables: Mapping[str, str]
    shared: Mapping[str, Any]


def question_jobs(
    study: str, questions: Mapping[str, Question], tables: Mapping[str, str], shared: Mapping[str, Any]
) -> list[Job]:
    """The jobs of all questions whose tables can be had: questions of scores of one source and stage together, others
    each on its own."""
    jobs: list[Job] = []
    known = dict(tables)
    together: dict[tuple[str, str, str], dict[str, Question]] = {}
    for name, settings in sorted(questions.items(), key=lambda named: bool(named[1].optional_inputs())):
        if not all(wanted in known for wanted in settings.inputs().values()):
            continue
        if isinstance(settings, QuestionSettings):
            path = known[settings.inputs()["scores"]]
            together.setdefault((path, settings.stage, settings.group), {})[name] = settings
            continue
        asked = Asked(study, name, settings, known, shared)
        own = _jobs_module(settings.kind)
        made = [job_of(asked, name, settings.uses)] if own is None else own.jobs(asked)
        jobs += made
        of = f":{settings.source}" if isinstance(settings, QuestionOfRuns) else ""
        for job in made:
            known |= {
                f"question:{settings.kind}{key.removeprefix(name)}{of}": path for key, path in job.outputs.items()
            }
    for (path, stage, group), chosen in together.items():
        part = "_".join([Path(path).stem, *([group] if group else [])])
        jobs.append(_job(stage, study, part, chosen, {"scores": path}, shared, ()))
    return jobs


@functools.cache
def _jobs_module(kind: str) -> Any:
    """The module that plans the jobs of a question that has several, if it has."""
    return import_module(f"{__package__}.{kind}.jobs") if (_HERE / kind / "jobs.py").is_file() else None


def job_of(asked: Asked, part: str, uses: tuple[str, ...], modules: tuple[str, ...] = ()) -> Job:
    """The job of one question, whose outputs are called after the part.

    uses : the keys of `asked.shared` that decide its answer
    modules : that decide it beside that of the answer
    """
    settings = asked.settings
    taken = settings.inputs() | {
        key: wanted for key, wanted in settings.optional_inputs().items() if wanted in asked.tables
    }
    inputs = {key: asked.tables[wanted] for key, wanted in taken.items()}
    shared = {key: asked.shared[key] for key in uses}
    return _job(settings.stage, asked.study, part, {part: settings}, inputs, shared, modules)


def _job(
    stage: str,
    study: str,
    part: str,
    questions: Mapping[str, Question],
    inputs: dict[str, str],
    shared: Mapping[str, Any],
    modules: tuple[str, ...],
) -> Job:
    chosen = {name: settings.decisive() for name, settings in questions.items()}
    code = dict.fromkeys(
        module(question.kind) for question in questions.values() for module in (answer_module, settings_module)
    )
    outputs = {
        "_".join([name, *more]): f"results/{stage}/{study}/{'_'.join([name, *more])}.csv"
        for name, settings in questions.items()
        for more in ([], *([table] for table in settings.more))
    }
    return Job(stage, study, part, _ANSWER, {"questions": chosen, **shared}, (*code, *modules), inputs, outputs)
