"""The tables that drawings of a study can take: those of this run, of the project's records, and of a paper."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from surefoot.charts.arguments import Takes
from surefoot.charts.drawing import Need, Needs, signature_of
from surefoot.questions._framework.settings import Question, QuestionSettings
from surefoot.simulation.sources.repeated_runs import HyperparameterGrid
from surefoot.workflow.configuration.models import Study
from surefoot.workflow.job import Job
from surefoot.workflow.project import PUBLISHED, RECORDS, kept, relative

RECORDED_KINDS = ("coverage", "intervals", "distributions", "seeds", "selection")
"""What is kept of the large run of a paper beside its comparison."""


class StudyTables(NamedTuple):
    """The tables that drawings of a study can take.

    paths : path of the table that a need refers to; of the needs of several tables, {name: path}
    questions : name of the question whose answer a need refers to
    recorded : day on which the record was made, by the names of questions that this run does not answer
    larger : the same, by the names of questions that the record answers with more resamples or subsamples
    """

    paths: dict[Need, str | dict[str, str]]
    questions: dict[Need, str]
    recorded: dict[str, str]
    larger: dict[str, str]

    def add(self, question: str, paths: Mapping[Need, str | None]) -> None:
        """Add those tables of a question's answer that exist, unless an earlier question has them."""
        for need, path in paths.items():
            if path is not None and need not in self.paths:
                self.paths[need] = path
                self.questions[need] = question


def study_tables(name: str, study: Study, jobs: Iterable[Job]) -> StudyTables:
    """Return the tables that drawings of a study can take; see `surefoot.charts.drawing.Need`."""
    own = [job for job in jobs if job.study == name]
    made = {(job.stage, Path(path).stem): path for job in own for path in job.outputs.values()}
    found = StudyTables(_tables_of_stages(made), {}, {}, {})
    found.paths.update({Need("kept", key): path for key, path in _kept_tables(name).items()})
    record = record_index(name)
    larger = _larger_records(name, study, own, record)
    found.larger.update({key: record[key]["made"][:10] for key in larger})
    every: dict[str, dict[str, str]] = {}
    for key, question in study.questions.items():
        answer = made.get((question.stage, key))
        recorded = kept(RECORDS / name / f"{key}.csv") if answer is None and _may_be_recorded(question) else None
        if recorded is not None:
            found.recorded[key] = record[key]["made"][:10]
        answer = answer or recorded
        found.add(key, {Need("answer", key): answer, Need("first", question.kind): answer})
        more = {one: made.get((question.stage, f"{key}_{one}")) for one in question.more}
        found.add(key, {Need("answer", key, one): path for one, path in more.items()})
        found.add(key, {Need("first", question.kind, one): path for one, path in more.items()})
        found.add(key, {Need("larger", one): larger.get(key) for one in (key, question.kind)})
        found.add(key, {Need("largest", key): larger.get(key, answer)})
        if answer is not None:
            every.setdefault(question.kind, {})[key] = answer
    found.paths.update({Need("every", kind): paths for kind, paths in every.items()})
    return found


def _tables_of_stages(made: Mapping[tuple[str, str], str]) -> dict[Need, str | dict[str, str]]:
    """Return the collected and estimated tables, given the paths of all tables by stage and name."""
    collected = {Need("collect", stem): path for (stage, stem), path in made.items() if stage == "collect"}
    estimated = {Need("estimate", stem): path for (stage, stem), path in made.items() if stage == "estimate"}
    return {**collected, **estimated}


def _may_be_recorded(question: Question) -> bool:
    """Whether a record may stand for an answer that this run has no scores for."""
    return isinstance(question, QuestionSettings) and not question.group


def _kept_tables(name: str) -> dict[str, str]:
    """Paths of the published numbers and of the records that the project keeps of a study."""
    paths = {"published": kept(PUBLISHED / f"{name}.csv")}
    paths["record"] = kept(RECORDS / f"{name}.csv") or kept(RECORDS / name / "record.csv")
    paths |= {f"record_{kind}": kept(RECORDS / f"{name}_{kind}.csv") for kind in RECORDED_KINDS}
    return {key: path for key, path in paths.items() if path}


def record_index(name: str) -> dict[str, dict[str, str]]:
    """Return the index of the records of a study: for each question, its day and the numbers that it drew."""
    index = RECORDS / name / "record.csv"
    if not index.is_file():
        return {}
    with index.open(newline="") as file:
        return {row["analysis"]: row for row in csv.DictReader(file)}


def _larger_records(
    name: str, study: Study, jobs: Iterable[Job], record: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return the paths of recorded answers, by question, where these jobs draw fewer resamples than the record."""
    drawn = {key: int(row["n_resamples"]) * int(row["datasets"]) for key, row in record.items()}
    answered = [job.part for job in jobs if "question" in job.settings]
    larger = (key for key in answered if drawn.get(key, 0) > math.prod(numbers_drawn(study, key)))
    return {key: relative(RECORDS / name / f"{key}.csv") for key in larger}


def numbers_drawn(study: Study, question: str) -> tuple[int, int]:
    """Return the numbers of resamples and of data sets that a question draws; 1 where it draws none.

    Data sets are subsamples, simulated studies, or runs of each setting of a grid.
    """
    settings = study.questions.get(question)
    n_resamples = getattr(settings, "n_resamples", None) or study.n_resamples
    scales = settings.scales() if isinstance(settings, QuestionSettings) else []
    grids = [study.sources.get(study.scales[scale].source) for scale in scales if scale in study.scales]
    runs = [grid.runs for grid in grids if isinstance(grid, HyperparameterGrid)]
    return n_resamples, getattr(settings, "datasets", None) or max(runs, default=1)


def needs_of(tables: Mapping[str, Needs]) -> Iterator[Need]:
    """All needs of an entry of the catalogue."""
    for needs in tables.values():
        if isinstance(needs, Need):
            yield needs
        else:
            yield from needs.values() if isinstance(needs, Mapping) else needs


def tables_taken(
    function: str, tables: Mapping[str, Needs], found: StudyTables
) -> tuple[dict[str, str], dict[str, Takes]] | None:
    """Return the paths of an entry's tables by name, and what each argument takes of them.

    The result is None if a required table is missing.
    """
    inputs: dict[str, str] = {}
    takes: dict[str, Takes] = {}

    def named(path: str) -> str:
        name = path.removeprefix("results/").rpartition(".")[0]
        inputs[name] = path
        return name

    for argument, needs in tables.items():
        if isinstance(needs, Need):
            path = found.paths.get(needs)
            if isinstance(path, str):
                takes[argument] = named(path)
            elif path is not None:
                takes[argument] = {label: named(one) for label, one in path.items()}
        elif isinstance(needs, Mapping):
            paths = {label: found.paths.get(need) for label, need in needs.items()}
            takes[argument] = {label: named(path) for label, path in paths.items() if isinstance(path, str)}
        elif those := [path for need in needs if isinstance(path := found.paths.get(need), str)]:
            takes[argument] = [named(path) for path in those]
    return (inputs, takes) if takes.keys() >= set(signature_of(function).required) else None
