"""Inputs for the drawings of a study: tables and facts; a drawing receives the arguments that its function declares.

Tables come from the jobs, from the records of the project, and from a paper. Facts are keyword arguments.
"""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.charts.drawing import OTHER_RUNS, PLAYS, RUNS, Need, Needs, signature_of
from surefoot.charts.input_tables import VALUES, Takes
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.runs.scales.scale_settings import ScoreScale
from surefoot.runs.sources.source_settings import CURVES, EVALUATIONS, SourceSettings, run_table_path
from surefoot.simulation.simulation_registry import ALGORITHMS
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
    found = StudyTables(_tables_of_stages(made, study), {}, {}, {})
    described = source_of_runs(study)
    if described:
        runs = path_of_table(name, described, study.sources[described], described)
        read = {path for job in own for path in job.inputs.values()}
        if runs in {*made.values(), *read}:
            found.paths[RUNS] = runs
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


def source_of_runs(study: Study) -> str:
    """Return the name of the source whose runs a page describes: that of the first question, or else the first one."""
    makers = {table: name for name, source in study.sources.items() for table in source.tables(name)}
    for question in study.questions.values():
        for reference in question.inputs().values():
            kind, _, table = reference.partition(":")
            if kind == "scale" and table in study.scales:
                table = study.scales[table].source
            if kind in ("scale", "source") and table in makers:
                return makers[table]
    return next(iter(makers.values()), "")


def path_of_table(study: str, name: str, source: SourceSettings, table: str) -> str:
    """Return the path of a table of a source, which another study may make.

    Parameters
    ----------
    name : name of the source in the study
    table : name of the table
    """
    return run_table_path(*(source.of_other_study(name) or (study, table)))


def _tables_of_stages(made: Mapping[tuple[str, str], str], study: Study) -> dict[Need, str | dict[str, str]]:
    """Return the collected tables, and the estimated ones that have the name of a method instead of a question."""
    kinds = {table: kind for name, source in study.sources.items() for table, kind in source.tables(name).items()}
    collected = {Need("collect", stem): path for (stage, stem), path in made.items() if stage == "collect"}
    if kinds.get(PLAYS.name) != PLAYS.name:  # a table of runs may have this name
        collected.pop(PLAYS, None)
    estimated = {Need("estimate", stem): path for (stage, stem), path in made.items() if stage == "estimate"}
    return {**collected, **{need: path for need, path in estimated.items() if need.name not in study.questions}}


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


ALONG_TRAINING = (CURVES, EVALUATIONS)
"""Kinds of tables of curves, which also contain the runs that are left out of tables of scores."""


def protocol_of_study(study: Study) -> dict[str, Any]:
    """Return the protocol of a study, with the rule of a source that converts curves to scores."""
    if study.protocol is None:
        return {}
    rules = (rule for source in study.sources.values() if (rule := source.rule_of_scores()))
    rule = next(rules, study.protocol.rule)
    return study.protocol.plain() | ({} if rule is None else {"rule": rule})


def study_facts(name: str, study: Study, tables: StudyTables, answered: Iterable[str]) -> dict[str, Any]:
    """Return facts about a study as keyword arguments; a drawing uses the arguments that its function declares.

    Parameters
    ----------
    answered : names of the answered questions about scores
    """
    estimated = (q for q in study.questions.values() if q.stage == "estimate" and hasattr(q, "variant"))
    wanted = {scale for question in study.questions.values() for scale in question.scales()}
    scales = {key: one for key, one in study.scales.items() if key in wanted and isinstance(one, ScoreScale)}
    return {
        "question": study.question,
        "confidence_level": study.confidence_level,
        "n_resamples": study.n_resamples,
        "variant": next((q.variant for q in estimated), "corrected"),
        "scales": {key: scale.described() for key, scale in scales.items()},
        "protocol": protocol_of_study(study),
        "analyses": _analyses(name, study, tables, answered),
        **_titles_and_directions(study),
        **_settings_of_sources(study),
    }


def _titles_and_directions(study: Study) -> dict[str, Any]:
    """Return the titles of algorithms and environments, and whether lower scores are better."""
    titles: dict[str, str] = {}
    environment_titles: dict[str, str] = {}
    for name, source in study.sources.items():
        of_algorithms, of_environments = source.titles()
        if source.of_other_study(name):  # its runs may be simulated
            of_algorithms = {algorithm: known.title for algorithm, known in ALGORITHMS.items()}
        titles |= of_algorithms
        environment_titles |= of_environments
    all_lower = any(getattr(source, "lower_is_better", False) is True for source in study.sources.values())
    negated = [environment for source in study.sources.values() for environment in source.negated_environments()]
    return {
        "titles": titles | study.titles,
        "environment_titles": environment_titles | study.titles,
        "directions": [source.direction() for source in study.sources.values() if source.direction()],
        "lower_is_better": True if all_lower else negated,
    }


def _settings_of_sources(study: Study) -> dict[str, Any]:
    """Return the settings that drawings state about sources, such as the treatment of short runs."""
    sources = {key: source.plain() for key, source in study.sources.items()}
    described = sources.get(source_of_runs(study), {})
    played = next((source for source in sources.values() if source["kind"] == "plays"), {})
    return {
        "hyperparameters": described.get("hyperparameters") or [],
        "short_runs": _treatment(described),
        "other_short_runs": _treatment(sources.get(OTHER_RUNS, {})),
        "steps_in_percent": any(source.get("along") == "percent" for source in sources.values()),
        **{key: played[key] for key in ("discount", "horizon") if key in played},
    }


def _treatment(source: Mapping[str, Any]) -> str:
    """Return the treatment of runs that ended early or left no score in a source, such as "drop"."""
    return str(source.get("short_runs", source.get("failed_runs", "error")))


def _analyses(name: str, study: Study, tables: StudyTables, answered: Iterable[str]) -> list[list[Any]]:
    """Return [name, day of the record, number of resamples, number of subsamples] of each answered question."""
    record = record_index(name)
    rows: list[list[Any]] = []
    for key in answered:
        question = study.questions[key]
        counts: Mapping[str, Any] = question.plain()
        if question.kind == "aggregate_metrics":  # uses the study's number of resamples unless it sets its own
            counts = {"n_resamples": study.n_resamples, **counts}
        drawn = [count for count in ("n_resamples", "datasets") if count in counts]
        if key in tables.recorded:
            counts = record[key]
        numbers = [int(counts[count]) if count in drawn else None for count in ("n_resamples", "datasets")]
        rows.append([key, tables.recorded.get(key), *numbers])
    return rows


def negated_kind(study: Study, question: str) -> str:
    """Return the kind of a question if its result has the unit of scores that are negated and not normalized, or ""."""
    asked = study.questions[question]
    scales = [study.scales[scale] for scale in asked.scales() if scale in study.scales]
    lower = (
        scale.kind == "none" and getattr(study.sources.get(scale.source), "lower_is_better", False) is True
        for scale in scales
    )
    has_values = asked.kind in VALUES and getattr(asked, "metric", "") != "probability_of_improvement"
    return asked.kind if scales and has_values and all(lower) else ""
