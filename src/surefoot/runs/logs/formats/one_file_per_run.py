"""Logs with one file per run, as custom loggers write them."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from surefoot.errors import InputError, counted
from surefoot.runs.columns.csv_text import parse_csv
from surefoot.runs.columns.numbers import numbers
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.given_files import read_text
from surefoot.runs.logs.account import OTHER_FILE, Entry
from surefoot.runs.logs.continued import PART, kept_after_restarts, without_restarts
from surefoot.runs.logs.log_files import (
    Log,
    csv_log,
    head,
    json_lines,
    read_configuration_beside,
    read_csv_log,
    record_log,
    whole_lines,
)
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import curves_of_rows
from surefoot.runs.logs.metrics import returns_among, steps_among
from surefoot.runs.logs.naming import USUAL_KEYS
from surefoot.runs.logs.run_formats import run_format
from surefoot.runs.logs.table_files import column_names, kind_of_table, read_rows

NO_STEPS = "no steps"
"""Recorded reason for leaving out a file without a column of steps."""
_LINES = (".jsonl", ".ndjson", ".json")
_VALUES = re.compile(rb"[\d.eE+-]+,[^,\n]+\n?")
_OF_EPOCHS = re.compile(rb"\d+,\d+,(?:nan|[-+]?[\d.][\d.eE+-]*)\r?\n?", re.IGNORECASE)
_OF_D3RLPY = {"eval": ("environment", "evaluation"), "train": ("rollout_return",)}
"""Names of returns in d3rlpy: common names of evaluations in an environment, and the name for online training."""


def _recognize_run_files(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each file of one run, or for each folder of torchrl and d3rlpy.

    A file is a table with several columns, a progress.txt, or JSON lines. A folder of torchrl or d3rlpy has one CSV
    without a header per metric; other tables in it, such as tables of gradients, are not logs of returns.
    """
    of_metrics: dict[Path, list[Path]] = {}
    others: list[Path] = []
    for path in files:
        if _is_of_torchrl(path):
            of_metrics.setdefault(_scalars(path).parent, []).append(path)
        elif _is_of_d3rlpy(path):
            of_metrics.setdefault(path.parent, []).append(path)
        elif _is_run_file(path):
            others.append(path)
    found = [Place(reading.below(run), tuple(paths)) for run, paths in of_metrics.items()]
    return sorted([*found, *reading.file_places(path for path in others if path.parent not in of_metrics)])


def _is_run_file(path: Path) -> bool:
    if kind_of_table(path):
        return len(column_names(path)) > 1 or _is_of_lines(path)
    if path.name == "progress.txt":
        return b"\t" in head(path)
    return _is_of_lines(path)


def _is_of_lines(path: Path) -> bool:
    """Return True for a file of JSON lines, judged by its suffix and its first lines."""
    begin = head(path).lstrip() if path.suffix in _LINES else b""
    first, _, second = begin.partition(b"\n")
    is_of_lines = path.suffix != ".json" or (first.rstrip().endswith(b"}") and second.startswith(b"{"))
    return begin.startswith(b"{") and is_of_lines


def _is_of_torchrl(path: Path) -> bool:
    """Return True for a CSV of steps and values without a header, in a folder "scalars"."""
    return path.suffix == ".csv" and "scalars" in path.parts and bool(_VALUES.match(head(path)))


def _is_of_d3rlpy(path: Path) -> bool:
    """Return True for a CSV of epochs, steps and values without a header."""
    return path.suffix == ".csv" and bool(_OF_EPOCHS.match(head(path)))


def _is_of_one_metric(path: Path) -> bool:
    return _is_of_torchrl(path) or _is_of_d3rlpy(path)


def _scalars(path: Path) -> Path:
    return next(folder for folder in path.parents if folder.name == "scalars")


@run_format(
    "run_files",
    "one file per run (CSV, JSON lines, progress.txt) with a column of steps, as written by Lightning, torchrl, "
    "Spinning Up and custom loggers",
    _recognize_run_files,
    fallback=True,
    steps_by_name=True,
)
def read_run_file(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of the requested columns, for each run in the file."""
    path = place.paths[0]
    rows, undefined = _log(place, reading)
    axis = _axis(rows, path, reading)
    if axis is None:
        return
    is_of_d3rlpy = _is_of_d3rlpy(path)
    known = _OF_D3RLPY if is_of_d3rlpy and not set(_OF_D3RLPY["eval"]).isdisjoint(rows) else None
    named = [] if is_of_d3rlpy else _naming_columns(rows, axis, str(path))
    rows = _with_names(rows, named, axis, place, reading)
    of_metrics = {_metric_of(path): path for path in place.paths if _is_of_one_metric(path)}
    used: set[str] = set()
    for curve, logged in _runs_in_file(rows, named, place):
        has_scores = False
        for found in curves_of_rows(curve, logged, axis, reading, known, named, undefined, not of_metrics):
            if len(found.points):
                reading.remark(f"scores are from the column {found.metric}, and steps from the column {axis}")
                has_scores = True
                reading.places_by_axis.setdefault(axis, []).append(curve.place)
            yield found._replace(source=of_metrics.get(found.metric, path))
            used.add(found.metric)
        if named and not has_scores:
            reading.run_without_score(curve)
    for metric in of_metrics.keys() - used:
        reading.entries.append(Entry(reading.below(of_metrics[metric]), OTHER_FILE, "another metric"))


def _axis(rows: pd.DataFrame, path: Path, reading: Reading) -> str | None:
    """Return the name of the step column, or None if the file has none.

    A file without steps is recorded as left out if it has scores, otherwise as another file.

    Raises
    ------
    InputError
        if the file lacks the requested column
    """
    if rows.empty:
        return None
    try:
        return steps_among(list(rows.columns), reading, str(path))
    except InputError as error:
        if reading.step is not None:
            usual = not set(STEPS).isdisjoint(rows)
            hint = f"{error.hint}; or leave --step out to use the common name in each file" if usual else error.hint
            raise InputError(error.where, error.what, hint) from None
        if any(returns_among(rows.columns).values()):
            reading.leave_out(path, NO_STEPS, f"{reading.below(path)}: {error.what}, so it is left out")
        else:
            reading.entries.append(Entry(reading.below(path), OTHER_FILE, NO_STEPS))
        return None


def _runs_in_file(rows: pd.DataFrame, named: Sequence[str], place: Place) -> Iterator[tuple[Curve, pd.DataFrame]]:
    """Yield the attributes and rows of each run in a file; the columns `named` identify runs."""
    path = place.paths[0]
    parts = rows.groupby([rows[name].astype(str) for name in named], sort=False) if named else [((), rows)]
    for key, logged in parts:
        names = dict(zip(named, map(str, key), strict=True))
        texts = {column: value for column, value in logged.iloc[0].items() if isinstance(value, str)}
        config = {**texts, **names, **read_configuration_beside(path)}
        yield Curve("/".join([place.name, *names.values()]), path, config=config), logged


def _log(place: Place, reading: Reading) -> Log:
    """Return the rows of a run from its file, or from its files of single metrics."""
    path = place.paths[0]
    if _is_of_lines(path):
        return record_log(list(json_lines(path, reading)), str(path))
    if _is_of_one_metric(path):
        rows = pd.concat([_log_of_metric(path, reading) for path in place.paths])
        return Log(rows.sort_values("step", kind="stable", ignore_index=True), pd.DataFrame())
    if kind_of_table(path) == ".csv":
        return read_csv_log(path, reading)
    if kind_of_table(path):
        return Log(read_rows(path, ()), pd.DataFrame())
    text = whole_lines(read_text(path, str(path)), path, reading)
    lines = (line.strip("\t ").replace("\t", ",") for line in text.splitlines())
    return csv_log("\n".join(lines), str(path))


def _naming_columns(rows: pd.DataFrame, axis: str, where: str) -> list[str]:
    """Return the columns that identify the runs in a file with several runs; empty for a single run.

    Runs are identified by columns with common names of algorithms, environments or seeds that have several values. A
    file has several runs if, in addition, steps restart, one step occurs with several of the values, or there are
    columns of two kinds, such as algorithms and seeds.
    """
    usual = dict.fromkeys([*chain.from_iterable(USUAL_KEYS.values()), "run_id"])
    found = [name for name in usual if name in rows and rows[name].dropna().astype(str).nunique() > 1]
    if not found or not kept_after_restarts(numbers(where, rows[axis].dropna()).to_numpy()).all():
        return found
    steps = rows[rows[axis].notna()].drop_duplicates([axis, *found])[axis]
    told = [keys for keys in USUAL_KEYS.values() if not set(keys).isdisjoint(found)]
    return found if steps.duplicated().any() or len(told) > 1 else []


def _with_names(rows: pd.DataFrame, named: Sequence[str], axis: str, place: Place, reading: Reading) -> pd.DataFrame:
    """Return the rows that name their run; record the other rows as left out.

    Columns of integers that are floats only because of empty cells are converted back.
    """
    is_named = rows[list(named)].notna().all(axis="columns")
    if lost := int((~is_named & rows[axis].notna()).sum()):
        path = place.paths[0]
        remark = f"{reading.below(path)}: {counted(lost, 'row')} without {' or '.join(named)} left out"
        reading.leave_out(path, "no name of a run", remark, rows=lost)
    rows = rows[is_named]
    whole = [name for name in named if rows[name].dtype.kind == "f" and (rows[name] % 1 == 0).all()]
    return rows.astype(dict.fromkeys(whole, "int64"))


def _metric_of(path: Path) -> str:
    """Return the name of the metric in a file of torchrl or d3rlpy."""
    return path.relative_to(_scalars(path)).with_suffix("").as_posix() if _is_of_torchrl(path) else path.stem


def _log_of_metric(path: Path, reading: Reading) -> pd.DataFrame:
    """Return the steps and values of a metric from its separate file."""
    metric = _metric_of(path)
    header = f"step,{metric}" if _is_of_torchrl(path) else f"epoch,step,{metric}"
    text = whole_lines(read_text(path, str(path)), path, reading)
    rows = parse_csv(f"{header}\n{text}", str(path)).drop(columns="epoch", errors="ignore")
    rows = without_restarts(rows, "step", path, reading.below(path), reading)
    if PART in rows:
        raise InputError(
            str(path), "the parts of a metric in a separate file cannot be distinguished", "use --continued join"
        )
    return rows
