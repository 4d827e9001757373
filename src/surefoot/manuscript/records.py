"""What the figures and tables of an export take from the record of a larger run, and from the runs at hand."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.configuration.models import Study
from surefoot.manuscript.runs import CountedRuns, recorded_runs
from surefoot.pipeline.kept_files import RECORDS
from surefoot.questions.settings import Question
from surefoot.result_tables import read_table

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
    """

    runs: CountedRuns | None
    answers: dict[str, RecordedAnswer]
    whole: frozenset[str]
    beside: frozenset[str]


NONE = Records(None, {}, frozenset(), frozenset())


def records_of(study: Study, jobs: Sequence[Job], drawn: Mapping[str, tuple[Job, pd.DataFrame]], total: int) -> Records:
    """What of some drawings is recorded.

    Parameters
    ----------
    jobs : those of the study
    drawn : the job that made a drawing, and the drawing's numbers, by the drawing's name
    total : how many runs are at hand; a record of as many or fewer is not shown
    """
    keys = {name: _recorded_inputs(name, job) for name, (job, _) in drawn.items()}
    paths = {key: path for found in keys.values() for key, path in found.items()}
    runs = recorded_runs(read_table(Path(paths["record"]))) if "record" in paths else None
    compared = [job.inputs["record"] for job in jobs if job.stage == "compare" and "record" in job.inputs]
    if runs is None and compared:
        runs = recorded_runs(read_table(Path(compared[0])))
    if runs is not None and runs.total <= total:
        return NONE
    whole, beside = set(), set()
    for name, (job, table) in drawn.items():
        if not keys[name] or _says_this_run(table):
            continue
        compares = {"compare/run", "compare/record"} <= {*job.settings["drawings"][name]["inputs"]}
        both = compares or any(str(column).startswith("record") for column in table.columns)
        (beside if both else whole).add(name)
    shown = {key: path for name in whole | beside for key, path in keys[name].items()}
    return Records(runs if whole | beside else None, dict(_answers(study, shown)), frozenset(whole), frozenset(beside))


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
    told = []
    if "tasks" in rows.columns and "runs" in rows.columns:
        told.append(f"{_range(rows['runs'])} runs of each algorithm in each of {_range(rows['tasks'])} environments")
    if "pool_trials" in rows.columns:
        told.append(f"a pool of {_range(rows['pool_trials'])} runs of each algorithm in each environment")
    return told


def _range(counts: pd.Series) -> str:
    least, greatest = (f"{int(count):,}".replace(",", "{,}") for count in (counts.min(), counts.max()))
    return least if least == greatest else f"{least} to {greatest}"
