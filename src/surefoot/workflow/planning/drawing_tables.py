"""Tables for the drawings of a study: from the jobs, from the project's records, and from a paper."""

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
"""Tables that are recorded from a large simulation for a paper, in addition to the comparison."""


class StudyTables(NamedTuple):
    """Tables that are available to drawings of a study.

    paths : path of the table for each `Need`, or {name: path} for a need of several tables
    questions : name of the question whose result a `Need` refers to
    recorded : day of the record, by the names of questions that no job answers
    larger : day of the record, by the names of questions for which the record has more resamples or subsamples
    """

    paths: dict[Need, str | dict[str, str]]
    questions: dict[Need, str]
    recorded: dict[str, str]
    larger: dict[str, str]

    def add(self, question: str, paths: Mapping[Need, str | None]) -> None:
        """Add the existing tables of a question's result, unless an earlier question has them."""
        for need, path in paths.items():
            if path is not None and need not in self.paths:
                self.paths[need] = path
                self.questions[need] = question


def study_tables(name: str, study: Study, jobs: Iterable[Job]) -> StudyTables:
    """Return the tables that are available to drawings of a study; see `surefoot.charts.drawing.Need`."""
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
    """Return True if a record may replace a result for which the study has no scores."""
    return isinstance(question, QuestionSettings) and not question.group


def _kept_tables(name: str) -> dict[str, str]:
    """Return the paths of the published numbers and records of a study that are part of the project."""
    paths = {"published": kept(PUBLISHED / f"{name}.csv")}
    paths["record"] = kept(RECORDS / f"{name}.csv") or kept(RECORDS / name / "record.csv")
    paths |= {f"record_{kind}": kept(RECORDS / f"{name}_{kind}.csv") for kind in RECORDED_KINDS}
    return {key: path for key, path in paths.items() if path}


def record_index(name: str) -> dict[str, dict[str, str]]:
    """Return the index of a study's records by question, with the day and the numbers of resamples and data sets."""
    index = RECORDS / name / "record.csv"
    if not index.is_file():
        return {}
    with index.open(newline="") as file:
        return {row["analysis"]: row for row in csv.DictReader(file)}


def _larger_records(
    name: str, study: Study, jobs: Iterable[Job], record: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return the paths of recorded results, by question, if the record has more resamples than the jobs."""
    drawn = {key: int(row["n_resamples"]) * int(row["datasets"]) for key, row in record.items()}
    answered = [job.part for job in jobs if "question" in job.settings]
    larger = (key for key in answered if drawn.get(key, 0) > math.prod(numbers_drawn(study, key)))
    return {key: relative(RECORDS / name / f"{key}.csv") for key in larger}


def numbers_drawn(study: Study, question: str) -> tuple[int, int]:
    """Return the numbers of resamples and of data sets that a question draws; 1 if it draws none.

    Data sets are subsamples, simulated studies, or runs of each setting of a grid.
    """
    settings = study.questions.get(question)
    n_resamples = getattr(settings, "n_resamples", None) or study.n_resamples
    scales = settings.scales() if isinstance(settings, QuestionSettings) else []
    grids = [study.sources.get(study.scales[scale].source) for scale in scales if scale in study.scales]
    runs = [grid.runs for grid in grids if isinstance(grid, HyperparameterGrid)]
    return n_resamples, getattr(settings, "datasets", None) or max(runs, default=1)


def needs_of(tables: Mapping[str, Needs]) -> Iterator[Need]:
    """Yield every `Need` in the mapping `tables` of a drawing."""
    for needs in tables.values():
        if isinstance(needs, Need):
            yield needs
        else:
            yield from needs.values() if isinstance(needs, Mapping) else needs


def table_name(path: str) -> str:
    """Return the name of a table among the inputs of a drawing: its path below results, without the suffix."""
    return path.removeprefix("results/").rpartition(".")[0]


def tables_taken(
    function: str, tables: Mapping[str, Needs], found: StudyTables
) -> tuple[dict[str, str], dict[str, Takes]] | None:
    """Return the paths of a drawing's tables by name, and the tables for each argument of its function.

    The result is None if a required table is missing.
    """
    inputs: dict[str, str] = {}
    takes: dict[str, Takes] = {}

    def named(path: str) -> str:
        name = table_name(path)
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
