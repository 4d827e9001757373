"""Tables with columns that name the runs, and with one row per run and step, or one row per run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, conjugated, listed, shown
from surefoot.runs.columns.numbers import counts, numbers
from surefoot.runs.columns.run_tables import UNFINISHED, UNNAMED_JOBS, refuse_clusters
from surefoot.runs.logs.account import LEFT_OUT, entries_of, entries_of_rows
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import NOT_A_NUMBER, without_texts
from surefoot.runs.logs.metrics import kind_of_metric, says_kind
from surefoot.runs.logs.naming import NAMES
from surefoot.runs.logs.run_formats import run_format
from surefoot.runs.logs.table_files import (
    LISTED,
    OF_WANDB,
    SPREAD,
    column_names,
    columns_to_read,
    folded_name,
    is_long_table,
    read_rows,
)

_PARTS = ("kind", "metric")
"""Columns that divide a table into parts with separate curves."""
_NOT_FINISHED = ("crashed", "failed", "killed", "running", "preempted")
_SUMMARIES = {"mean", "average", "avg", "median", "iqm", "std", "stdev", "sem", "stderr", "total", "overall", "sum"}
"""Names of rows or columns that summarize other rows or columns, normalized by `folded_name`."""
_EPISODES = ("episode", "eval_episode")


@run_format(
    "table",
    "tables (CSV, TSV, Parquet, JSON records) with the columns algorithm, environment, run, score, and step where "
    "there is one",
    lambda reading, files: reading.single_places(path for path in files if is_long_table(path, reading)),
    steps_by_name=True,
)
def read_long_table(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of all runs of each kind and metric in the table."""
    (path,) = place.paths
    table, columns = _rows_and_columns(path, reading)
    _keep_what_is_stated(table, reading)
    _remark_on_unfinished(table, reading.below(path), reading)
    names = _columns_of_names(columns)
    parts = [name for name in _PARTS if name in table]
    hyperparameters = [name for name in reading.hyperparameters if name in table]
    _keep_metrics(table, columns, reading)
    table = _with_asked_metrics(table, reading)
    if table.empty:
        return
    _refuse_repeated_rows(table, [*names.values(), *parts, *hyperparameters], columns.get("step"), str(path))
    _refuse_summaries(table, names, path)
    refuse_clusters(str(path), table, [*columns.values(), *hyperparameters])
    common = _common_columns(table, columns, hyperparameters, path)
    metrics = _score_columns(table, columns, reading)
    reading.kind_is_guessed = "kind" not in parts and not any(map(says_kind, metrics.values()))
    for column, metric in metrics.items():
        scores = without_texts(Curve(place.name, path, metric=metric or column), table[column], reading)
        numeric = table.index.isin(scores.index)
        points = common[numeric].assign(score=scores)
        texts = common[~numeric].assign(source=reading.below(path), metric=metric)
        reading.entries += entries_of_rows(texts, LEFT_OUT, NOT_A_NUMBER)
        for stated, rows in _rows_by_part(table[numeric], parts):
            kind = stated.get("kind") or kind_of_metric(metric)
            yield Curve(place.name, path, kind, metric or stated["metric"], points.iloc[rows])


def _refuse_summaries(table: pd.DataFrame, names: Mapping[str, str], path: Path) -> None:
    """Raise an InputError for rows that summarize other rows, such as a run or task called "mean"."""
    for name, column in names.items():
        for value in map(str, table[column].unique()):
            if folded_name(value) in _SUMMARIES:
                what = f"the {name} {shown(value)} seems to be a summary of the others"
                raise InputError(str(path), what, "remove these rows (or columns), and keep one score per run")


def _with_asked_metrics(table: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return the rows of the requested metrics if a column states the metric of each row."""
    if reading.asked is None or "metric" not in table:
        return table
    return table[table["metric"].isin(reading.asked)]


def _keep_metrics(table: pd.DataFrame, columns: Mapping[str, str], reading: Reading) -> None:
    """Record the names of the metrics in a table, for messages."""
    if "metric" in table:
        reading.metrics.update(table["metric"])
    else:
        others = {*_columns_of_names(columns).values(), columns.get("step"), *_PARTS}
        reading.metrics.update(set(table) - others)


def _columns_of_names(columns: Mapping[str, str]) -> dict[str, str]:
    return {name: columns[name] for name in NAMES if name in columns}


def _rows_and_columns(path: Path, reading: Reading) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the rows of a table, and its columns by role; a wide table is converted to a long table.

    Raises
    ------
    InputError
        if the table has no rows, or its columns do not fit the options
    """
    header = column_names(path)
    columns = columns_to_read(path, header, reading)
    parts = [name for name in _PARTS if name in header]
    table = read_rows(path, [*_columns_of_names(columns).values(), *parts], reading)
    if table.empty:
        raise InputError(str(path), "the table has no rows", "write one row per run, or one per run and step")
    return (table, columns) if reading.wide is None else _melted(table, columns, reading, path)


def _score_columns(table: pd.DataFrame, columns: Mapping[str, str], reading: Reading) -> dict[str, str]:
    """Return the columns of scores to read, with their metrics; "" if a column states the metric of each row."""
    if "metric" in table:
        return {columns["score"]: ""}
    if reading.asked is None or reading.wide is not None:
        return {columns["score"]: columns["score"]}
    return {name: name for name in reading.asked if name in table}


def _common_columns(
    table: pd.DataFrame, columns: Mapping[str, str], hyperparameters: Sequence[str], path: Path
) -> pd.DataFrame:
    """Return the names of runs, hyperparameters, steps and episodes of each row, with standard column names."""
    names = _columns_of_names(columns)
    common = table[[*names.values(), *hyperparameters]].set_axis([*names, *hyperparameters], axis="columns")
    if "step" in columns:
        common["step"] = numbers(str(path), table[columns["step"]])
    if "episodes" in table:
        common["episodes"] = counts(str(path), table["episodes"])
    return common


def _rows_by_part(table: pd.DataFrame, parts: Sequence[str]) -> Iterator[tuple[dict[str, str], npt.NDArray[np.int64]]]:
    """Yield each combination of values in the columns `parts` (kind and metric), with the positions of its rows."""
    if not parts:
        yield {}, np.arange(len(table))
        return
    for key, rows in table.groupby(list(parts), sort=False, observed=True).indices.items():
        yield dict(zip(parts, key if isinstance(key, tuple) else (key,), strict=True)), rows


def _melted(
    table: pd.DataFrame, columns: Mapping[str, str], reading: Reading, path: Path
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Convert a table with one column per task, algorithm or run to a long table; return it with its column names.

    Raises
    ------
    InputError
        if no column is left for scores
    """
    spread = SPREAD[str(reading.wide)]
    if spread in columns:
        what = f"--wide needs a column of scores for each of the {reading.wide}, but {columns[spread]} names them"
        raise InputError(str(path), what, "leave --wide out, or rename the column if it has another meaning")
    kept = {name: column for name, column in columns.items() if name in (*NAMES, "step") and name != spread}
    if "run" not in (*kept, spread):
        table = _with_numbered_runs(table, [column for name, column in kept.items() if name != "step"])
        kept["run"] = "run"
        reading.remark(
            f"{reading.below(path)}: it does not name runs, so each row is taken as a run, and rows are numbered"
        )
    scores = [name for name in table if name not in kept.values() and not _is_index(str(name))]
    if not scores:
        what = f"no columns of scores in addition to {', '.join(kept.values())}"
        raise InputError(str(path), what, f"--wide {reading.wide} needs a column of scores for each of them")
    long = table.melt(list(kept.values()), scores, spread, "score")
    return long, {**kept, spread: spread, "score": "score"}


def _is_index(name: str) -> bool:
    """Return True for the name of an unnamed column, such as the index that pandas writes."""
    return name == "" or name.startswith("Unnamed: ")


def _with_numbered_runs(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Add a column run that numbers the rows with the same names."""
    rows = table.groupby(list(names), observed=True).cumcount() if names else pd.Series(range(len(table)), table.index)
    return table.assign(run=rows.astype(str))


def _keep_what_is_stated(table: pd.DataFrame, reading: Reading) -> None:
    """Record the information on the original logs in a table that `surefoot read` wrote."""
    metrics = table.attrs.get("metrics")
    if reading.asked is None and isinstance(metrics, dict):
        flags = {"returns": False, "kind_is_stated": True, "points_are_numbered": False}
        reading.stated = {name: bool(table.attrs.get(name, usual)) for name, usual in flags.items()}
        reading.stated["metrics"] = {str(name): str(metric) for name, metric in metrics.items()}
        reading.stated["format"] = str(table.attrs.get("format"))
        reading.entries += entries_of(table)
        for name in (UNFINISHED, UNNAMED_JOBS, "unit"):
            if name in table.attrs:
                reading.stated[name] = table.attrs[name]


def _remark_on_unfinished(table: pd.DataFrame, name: str, reading: Reading) -> None:
    """Add a remark on unfinished runs in a table of Weights & Biases; their last logged score is used."""
    folded = {str(name).casefold(): name for name in table}
    if set(folded) >= OF_WANDB:
        states = table[folded["state"]].astype(str).str.casefold()
        for state in _NOT_FINISHED:
            if number := int((states == state).sum()):
                are = conjugated("are", number)
                reading.remark(f"{name}: {number:,} of its {len(table):,} runs {are} {state}, but {are} read")


def _refuse_repeated_rows(table: pd.DataFrame, names: Sequence[str], step: str | None, where: str) -> None:
    """Raise an InputError for two scores of a run (and step) without a column `episode` to number them.

    A table with a column `episodes` and without steps, as `surefoot read` writes it, may have one row per episode.
    """
    if step is None and "episodes" in table:
        return
    keys = [*names, *(name for name in (step, *_EPISODES) if name in table)]
    again = table.duplicated(keys)
    if step is not None:  # rows without a step cause another error
        again &= table[step].notna()
    if not again.any():
        return
    row = table[again].iloc[0]
    first = table[(table[keys] == row[keys]).all(axis="columns")].iloc[0]
    others = [str(name) for name in table if str(first[name]) != str(row[name])]
    what = f"two rows have {', '.join(f'{name} {row[name]}' for name in keys)}"
    what += f", and differ in {listed(others, LISTED)}" if others else ", and are equal in all columns"
    hint = "write one row for each; select a column of algorithms or runs with --name-from, such as algorithm=COLUMN, "
    hint += "or one that distinguishes training runs with --hyperparameters, such as learning_rate; "
    raise InputError(where, what, f"{hint}if rows are episodes, number them in a column episode")
