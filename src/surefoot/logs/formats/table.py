"""A long table: one row per run, or per run and step, with the names of the run in columns."""

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.logs.curves import IN_COLUMNS, Counts, Curve, Floats, Notes, Place, kind_of_metric, says_kind, steps_among
from surefoot.logs.data_files import csv_header, read_csv
from surefoot.logs.listing import below
from surefoot.logs.naming import NAMES

DESCRIPTION = (
    "long tables (CSV, Parquet) with the columns algorithm, environment, run, score, and step where there is one"
)
CONTAINS: tuple[str, ...] = ()
STEPS_BY_NAME = True
_NAMES = {
    "algorithm": ("algorithm", "algo", "agent", "method"),
    "environment": ("environment", "env", "env_id", "task", "game"),
    "run": ("run", "seed"),
    "score": ("score", "return", "reward", "episode_return", "episodic_return"),
    "step": ("step", "global_step", "env_step", "timestep", "timesteps", "total_timesteps"),
}
_NEEDED = ("algorithm", "environment", "run", "score")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A file with these columns, by these names or by usual ones."""
    return [Place(below(root, path), (path,)) for path in files if _is_table(path)]


def column_names(path: Path) -> tuple[str, ...]:
    """The names of the columns of a CSV or Parquet file; none where it is no such file."""
    if path.suffix == ".csv":
        return csv_header(path)
    if path.suffix == ".parquet":
        from pyarrow import ArrowException, parquet

        try:
            return tuple(parquet.read_schema(path).names)
        except PermissionError:  # which does not say of which file
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None
        except (OSError, ArrowException):
            return ()
    return ()


def _is_table(path: Path) -> bool:
    return not missing_columns(path) and not set(column_names(path)) & {"_step", "_runtime"}


def missing_columns(path: Path) -> list[str]:
    """Which columns a file lacks that a table of runs needs, each with the other names that it may have."""
    names = set(column_names(path))
    return [f"{name} (or {', '.join(_NAMES[name][1:])})" for name in _NEEDED if not names & set(_NAMES[name])]


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of all runs of each kind and metric of the table."""
    (path,) = place.paths
    header = column_names(path)
    columns = {
        name: found for name, usual in _NAMES.items() if (found := next((n for n in usual if n in header), None))
    }
    if place.step is not None:
        columns["step"] = steps_among(header, place.step, str(path))
    texts = [columns[name] for name in ("algorithm", "environment", "run")]
    texts += [name for name in ("kind", "metric") if name in header]
    table = read_rows(path, below(root, path), texts, notes)
    if table.empty:
        raise InputError(str(path), "the table has no rows", "one row per run, or per run and step")
    metrics = table.attrs.get("metrics")
    if asked is None and isinstance(metrics, dict):
        metrics = {str(name): str(metric) for name, metric in metrics.items()}
        returns = table.attrs.get("returns") is True
        notes.stated = {"format": str(table.attrs.get("format")), "metrics": metrics, "returns": returns}
        flags = {"kind_is_stated": True, "points_are_numbered": False}
        notes.stated |= {name: bool(table.attrs.get(name, usual)) for name, usual in flags.items()}
    notes.metrics.update(set(table["metric"]) if "metric" in header else set(header) - {*texts, columns.get("step")})
    if "metric" in header:
        table = table if asked is None else table[table["metric"].isin(asked)]
        scores = {columns["score"]: ""}
    else:
        wanted = (columns["score"],) if asked is None else asked
        scores = {name: name for name in wanted if name in header}
    if table.empty:
        return
    notes.kind_is_guessed = "kind" not in header and not any(map(says_kind, scores.values()))
    steps = numbers(table[columns["step"]], path) if "step" in columns else np.empty(0)
    counts = episodes(table["episodes"], path) if "episodes" in header else np.ones(len(table), np.int64)
    runs = table[texts[:3]].set_axis(list(NAMES), axis="columns")
    told = dict.fromkeys(NAMES, IN_COLUMNS)
    parts = table.groupby(texts[3:], sort=False, observed=True).indices if texts[3:] else {(): slice(None)}
    for column, metric in scores.items():
        values = numbers(table[column], path)
        for key, rows in parts.items():
            rest = dict(zip(texts[3:], key if isinstance(key, tuple) else (key,), strict=True))
            kind = rest.get("kind") or kind_of_metric(metric)
            at, of_rows = steps[rows] if steps.size else steps, runs.iloc[rows]
            name = metric or rest["metric"]
            yield Curve(place.name, path, kind, name, at, values[rows], counts[rows], told, runs=of_rows)


def read_rows(path: Path, shown: str, texts: Sequence[str], notes: Notes) -> pd.DataFrame:
    """The rows of a CSV or Parquet file, with these columns as categories of texts, whatever they look like.

    Raises
    ------
    InputError
        where it is not readable as such a file, or a row has no name
    """
    if path.suffix == ".csv":
        table = read_csv(path, shown, notes, written_by_line=False, texts=texts)
    else:
        from pyarrow import ArrowException

        try:
            table = pd.read_parquet(path)
        except (OSError, ArrowException) as error:
            what = f"not readable as Parquet: {' '.join(str(error).split())[:200]}"
            raise InputError(str(path), what, "is the file whole?") from None
    for name in texts:
        missing = table[name].isna() | (table[name] == "")
        if missing.any():
            row = int(np.flatnonzero(missing)[0])
            raise InputError(str(path), f"row {row} has no {name}", "every row names its run")
    for name in texts:  # not as pandas reads categories, for which 007 is 7
        table[name] = table[name].astype(str).astype("category")
    return table


def episodes(column: pd.Series, path: Path) -> Counts:
    """A column as int64, or an InputError that shows the first value that is no number of episodes."""
    found = numbers(column, path)
    bad = ~((found >= 1) & (found == np.floor(found)) & (found < 2**53))
    if bad.any():
        value = column[bad].iloc[0]
        shown = "empty" if pd.isna(value) else f'"{str(value)[:80]}"'
        what = f"the number of episodes of a score is {shown}"
        raise InputError(str(path), what, "whole numbers from 1, or leave the column out where each score is of one")
    return found.astype(np.int64)


def numbers(column: pd.Series, path: Path) -> Floats:
    """A column as float64, or an InputError that shows the first value that is no number."""
    found = pd.to_numeric(column, errors="coerce")
    bad = found.isna() & column.notna()
    if column.dtype.kind in "mM":  # pandas takes dates and durations for numbers
        bad = column.notna()
    if bad.any():
        value = str(column[bad].iloc[0])
        hint = "give one number a row, of one run; a mean over runs has lost what intervals are made of"
        if "±" not in value and "+-" not in value:
            hint = f"the column {column.name} holds numbers only"
        raise InputError(str(path), f'the {column.name} "{value[:80]}" is not a number', hint)
    values: Floats = found.to_numpy(np.float64)
    return values
