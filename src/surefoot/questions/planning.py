"""The jobs of the questions of a study."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
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

    def inputs(self) -> dict[str, str]:
        """Paths of the tables that it takes, with those of the optional ones that there are."""
        optional = self.settings.optional_inputs().items()
        taken = self.settings.inputs() | {key: wanted for key, wanted in optional if wanted in self.tables}
        return {key: self.tables[wanted] for key, wanted in taken.items()}


@dataclass
class _Group:
    """Questions that are answered in one job.

    inputs : the tables that all of them take
    questions : by name
    """

    stage: str
    inputs: dict[str, str]
    questions: dict[str, Question]

    def job(self, study: str, shared: Mapping[str, Any]) -> Job:
        first, settings = next(iter(self.questions.items()))
        part = first if len(self.questions) == 1 else f"{first}_and_others"
        if isinstance(settings, QuestionSettings):
            part = "_".join([Path(self.inputs["scores"]).stem, *([settings.group] if settings.group else [])])
        uses = {key for question in self.questions.values() for key in question.uses}
        decisive = {key: value for key, value in shared.items() if key in uses}
        return _job(self.stage, study, part, self.questions, self.inputs, decisive, {})


def question_jobs(
    study: str, questions: Mapping[str, Question], tables: Mapping[str, str], shared: Mapping[str, Any]
) -> list[Job]:
    """The jobs of all questions whose tables can be had.

    Starting a process costs as much as most answers: so questions of one stage that take the same tables are answered
    in one job. Kinds that plan their own jobs are left to themselves.
    """
    known = dict(tables)
    groups: dict[tuple[str, str, str], _Group] = {}
    planned: list[list[Job] | _Group] = []
    for name, settings in sorted(questions.items(), key=lambda named: bool(named[1].optional_inputs())):
        if not all(wanted in known for wanted in settings.inputs().values()):
            continue
        asked = Asked(study, name, settings, known, shared)
        own = _jobs_module(settings.kind)
        if own is not None:
            own_jobs: list[Job] = own.jobs(asked)
            planned.append(own_jobs)
            made = {key: path for job in own_jobs for key, path in job.outputs.items()}
        else:
            inputs = asked.inputs()
            key = (settings.stage, getattr(settings, "group", ""), repr(inputs))
            if key not in groups:
                groups[key] = _Group(settings.stage, inputs, {})
                planned.append(groups[key])
            groups[key].questions[name] = settings
            made = _outputs(settings.stage, study, {name: settings})
        if not isinstance(settings, QuestionSettings):
            of = f":{settings.source}" if isinstance(settings, QuestionOfRuns) else ""
            known |= {f"question:{settings.kind}{key.removeprefix(name)}{of}": path for key, path in made.items()}
    return [job for each in planned for job in (each if isinstance(each, list) else [each.job(study, shared)])]


@functools.cache
def _jobs_module(kind: str) -> Any:
    """The module that plans the jobs of a question that has several, if it has."""
    return import_module(f"{__package__}.{kind}.jobs") if (_HERE / kind / "jobs.py").is_file() else None


def job_of_several(
    asked: Asked,
    part: str,
    questions: Mapping[str, Question],
    uses: tuple[str, ...],
    modules: Mapping[str, tuple[str, ...]],
) -> Job:
    """The job of a question that is answered in several ways, each with a name of its own.

    uses : the keys of `asked.shared` that decide the answers
    modules : by names, those that decide an answer beside that of its question
    """
    shared = {key: asked.shared[key] for key in uses}
    return _job(asked.settings.stage, asked.study, part, questions, asked.inputs(), shared, modules)


def _job(
    stage: str,
    study: str,
    part: str,
    questions: Mapping[str, Question],
    inputs: dict[str, str],
    shared: Mapping[str, Any],
    modules: Mapping[str, tuple[str, ...]],
) -> Job:
    chosen = {name: settings.decisive() for name, settings in questions.items()}
    more = {name: list(modules[name]) for name in questions if modules.get(name)}
    code = dict.fromkeys(
        module
        for name, question in questions.items()
        for module in (answer_module(question.kind), settings_module(question.kind), *modules.get(name, ()))
    )
    settings = {"questions": chosen, **shared} | ({"modules": more} if len(questions) > 1 and more else {})
    return Job(stage, study, part, _ANSWER, settings, tuple(code), inputs, _outputs(stage, study, questions))


def _outputs(stage: str, study: str, questions: Mapping[str, Question]) -> dict[str, str]:
    """Paths of the tables that answer questions."""
    names = ("_".join([name, *more]) for name, each in questions.items() for more in ([], *([it] for it in each.more)))
    return {name: f"results/{stage}/{study}/{name}.csv" for name in names}
