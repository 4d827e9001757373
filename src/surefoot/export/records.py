"""What the figures and tables of an export take from the record of a larger run, and from the runs at hand."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.configuration.models import Study
from surefoot.export.runs import CountedRuns, recorded_runs
from surefoot.pipeline.drawing_jobs import numbers_of
from surefoot.pipeline.kept_files import RECORDS
from surefoot.questions.settings import Question
from surefoot.result_tables import read_table
from surefoot.statistics.reproduction.items import of_quantity

_RECORDED_KINDS = {
    "record_intervals": "game_intervals",
    "record_coverage": "coverage",
    "record_distributions": "sample_distributions",
}
"""Inputs of drawings that are recorded answers, and the kinds of the questions that they answer."""
_NUMBERS, _BESIDE = "numbers/", "recorded/"
_OF_THIS_RUN = ("this run", "this study")
"""What a table's column `source` says where its numbers are not recorded."""


class RecordedAnswer(NamedTuple):
    """The recorded answer to a question.

    question : with the settings that the record was made with, as far as it keeps them
    made : the day on which it was made; empty where the record does not say
    alone : whether the runs at hand answer the question nowhere in the exported drawings
    runs : phrases of how many runs are behind it, where the record says so
    """

    question: Question
    made: str
    alone: bool
    runs: list[str]


class Records(NamedTuple):
    """What an export takes from records.

    runs : those behind the recorded means, where these are exported
    answers : to questions, by the questions' names
    whole, beside : names of drawings that have the record's numbers alone, and beside those of the runs at hand
    scales : phrases of how many runs the recorded scores on a scale are of, by the scale's name; empty where no
        recorded answer says it
    configuration : what the records call the configuration of the larger run; empty where they do not
    """

    runs: CountedRuns | None
    answers: dict[str, RecordedAnswer]
    whole: frozenset[str]
    beside: frozenset[str]
    scales: dict[str, str]
    configuration: str = ""


NONE = Records(None, {}, frozenset(), frozenset(), {})


def records_of(
    name: str, study: Study, jobs: Sequence[Job], drawn: Mapping[str, tuple[Job, pd.DataFrame]], total: int
) -> Records:
    """What of some drawings is recorded.

    Parameters
    ----------
    jobs : those of the study
    drawn : the job that made a drawing, and the drawing's numbers, by the drawing's name
    total : how many runs are at hand; a record of as many or fewer is not shown
    """
    keys = {drawing: _recorded_inputs(drawing, job) for drawing, (job, _) in drawn.items()}
    kept = _record_of_means(jobs, keys)
    runs = None if kept is None else recorded_runs(kept)
    if runs is not None and runs.total <= total:
        return NONE
    whole: set[str] = set()
    beside: set[str] = set()
    for drawing, (_, table) in drawn.items():
        if keys[drawing] and not _says_this_run(table):
            (beside if _has_both(table) else whole).add(drawing)
    shown = {key: path for drawing in whole | beside for key, path in keys[drawing].items()}
    paths, alone = numbers_of(name, study, list(jobs))
    shown |= {f"{_NUMBERS}{key}": paths[f"{_NUMBERS}{key}"] for key in alone}
    answers = dict(_answers(study, shown))
    scales = _runs_of_recorded_scales(study, {key: read_table(Path(paths[f"{_NUMBERS}{key}"])) for key in alone})
    configuration = "" if kept is None or not whole | beside else _configuration(kept)
    return Records(
        runs if whole | beside else None, answers, frozenset(whole), frozenset(beside), scales, configuration
    )


def _record_of_means(jobs: Sequence[Job], keys: Mapping[str, Mapping[str, str]]) -> pd.DataFrame | None:
    """The record of published numbers beside ours, where a drawing or a comparison takes it."""
    drawn = [found["record"] for found in keys.values() if "record" in found]
    compared = [job.inputs["record"] for job in jobs if job.stage == "compare" and "record" in job.inputs]
    return next((read_table(Path(path)) for path in (*drawn, *compared)), None)


def _configuration(record: pd.DataFrame) -> str:
    if "configuration" not in record.columns:
        return ""
    names = of_quantity(record, "mean")["configuration"].dropna().unique()
    return str(names[0]) if len(names) == 1 else ""


def _has_both(table: pd.DataFrame) -> bool:
    """Whether a table has recorded numbers beside those of the runs at hand."""
    mixed = "source" in table.columns and not {*_OF_THIS_RUN}.isdisjoint(table["source"].dropna())
    return mixed or any(str(column).startswith("record") for column in table.columns)


def _runs_of_recorded_scales(study: Study, tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """How many runs recorded answers say that the scores on each scale are of."""
    found: dict[str, list[pd.DataFrame]] = {}
    for name, table in tables.items():
        for scale in study.questions[name].scales():
            rows = table[table["scores"] == scale] if "scores" in table.columns else table
            found.setdefault(scale, [])
            if "runs" in rows.columns and len(rows):
                found[scale].append(rows)
    return {scale: max(map(_of_tasks, parts), key=len, default="") for scale, parts in found.items()}


def _of_tasks(rows: pd.DataFrame) -> str:
    algorithms = f"{rows['algorithm'].nunique()} algorithms, with " if "algorithm" in rows.columns else ""
    tasks = _range(rows["tasks"]) if "tasks" in rows.columns else ""
    if not tasks and "environment" in rows.columns:
        tasks = str(rows["environment"].nunique())
    where = f" in each of {tasks} environments" if tasks else ""
    return f"{algorithms}{_range(rows['runs'])} runs of each algorithm{where}"


def _recorded_inputs(name: str, job: Job) -> dict[str, str]:
    """The inputs of a drawing that are kept records, by their keys."""
    inputs = job.settings["drawings"][name]["inputs"]
    folder = RECORDS.resolve()
    found = {key: path for key in inputs if (path := job.inputs.get(key))}
    of_records = {key: path for key, path in found.items() if folder in Path(path).resolve().parents}
    # The list of when each analysis was recorded is handed to drawings of analyses that were not.
    listed = {key for key, path in of_records.items() if key == "record" and Path(path).name == "record.csv"}
    recorded = {key: path for key, path in of_records.items() if key not in listed}
    return recorded | ({"compare/record": found["compare/record"]} if "compare/record" in found else {})


def _says_this_run(table: pd.DataFrame) -> bool:
    return "source" in table.columns and set(table["source"].dropna()) <= {*_OF_THIS_RUN}


def _answers(study: Study, shown: Mapping[str, str]) -> Iterator[tuple[str, RecordedAnswer]]:
    for key, path in shown.items():
        if key.startswith((_NUMBERS, _BESIDE)):
            name = Path(path).stem
            row = _row_of(Path(path).with_name("record.csv"), name)
            if name in study.questions:
                question = _with(study.questions[name], row, {"replicates", "datasets"})
                made = str(row.get("made", ""))[:10]
                told = _told_of_runs(read_table(Path(path)))
                yield name, RecordedAnswer(question, made, key.startswith(_NUMBERS), told)
        elif key in _RECORDED_KINDS:
            table = read_table(Path(path))
            for name, question in study.questions.items():
                if question.kind == _RECORDED_KINDS[key]:
                    rows = _rows_of(question, table)
                    if len(rows):
                        yield name, RecordedAnswer(_as_recorded(question, rows), "", False, _told_of_runs(rows))


def _row_of(index: Path, name: str) -> dict[str, Any]:
    table = read_table(index) if index.is_file() else pd.DataFrame(columns=["analysis"])
    rows = table[table["analysis"] == name]
    return rows.iloc[0].to_dict() if len(rows) else {}


def _rows_of(question: Question, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a record that answer a question: those of its variants, and of its algorithm and environment."""
    for column, wanted in (
        ("variant", getattr(question, "variants", None)),
        ("algorithm", [getattr(question, "algorithm", None)]),
        ("environment", [getattr(question, "environment", None)]),
    ):
        if wanted and wanted[0] is not None and column in table.columns:
            table = table[table[column].isin(wanted)]
    return table


def _as_recorded(question: Question, rows: pd.DataFrame) -> Question:
    found: dict[str, Any] = {}
    if "method" in rows.columns and hasattr(question, "methods"):
        methods = [*dict.fromkeys(rows["method"])]
        first = [name for name in question.methods if name in methods]
        found["methods"] = (*first, *(name for name in methods if name not in first))
    if "size" in rows.columns and hasattr(question, "sizes"):
        found["sizes"] = tuple(sorted(map(int, rows["size"].unique())))
    for name in ("replicates", "datasets"):
        if name in rows.columns and rows[name].notna().any():
            found[name] = int(rows[name].max())
    return _with(question, found, {"methods", "sizes", "replicates", "datasets"})


def _with(question: Question, found: Mapping[str, Any], names: set[str]) -> Question:
    fields = {*type(question).model_fields} & names & {*found}
    return question.model_copy(update={name: found[name] for name in fields})


def _told_of_runs(rows: pd.DataFrame) -> list[str]:
    """How many runs a recorded answer says that it is of."""
    if "pool_trials" not in rows.columns:
        return []
    return [f"a pool of {_range(rows['pool_trials'])} runs of each algorithm in each environment"]


def _range(counts: pd.Series) -> str:
    least, greatest = (f"{int(count):,}".replace(",", "{,}") for count in (counts.min(), counts.max()))
    return least if least == greatest else f"{least} to {greatest}"
