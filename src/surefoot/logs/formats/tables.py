"""Tables: long ones, with the names of runs in columns, and a file for each run, as loggers that people write
themselves leave it."""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.given_files import read_text
from surefoot.columns import counts, numbers, parse_csv, refuse_bad_names
from surefoot.errors import shown
from surefoot.logs.curves import (
    Curve,
    Place,
    Reading,
    curves_of_rows,
    kept_after_restarts,
    kind_of_metric,
    says_kind,
    steps_among,
    without_restarts,
)
from surefoot.logs.files import (
    csv_header,
    head,
    json_lines,
    read_configuration_beside,
    read_csv,
    whole_lines,
)
from surefoot.logs.naming import NAMES, USUAL_KEYS
from surefoot.logs.run_formats import run_format

_NAMES = {
    "algorithm": ("algorithm", "algo", "agent", "method"),
    "environment": ("environment", "env", "env_id", "task", "game"),
    "run": ("run", "seed"),
    "score": ("score", "return", "reward", "episode_return", "episodic_return"),
    "step": ("step", "global_step", "env_step", "timestep", "timesteps", "total_timesteps"),
}
_NEEDED = ("algorithm", "environment", "run", "score")
_LINES = (".jsonl", ".ndjson", ".json")
_VALUES = re.compile(rb"[\d.eE+-]+,[^,\n]+\n?")


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


def missing_columns(path: Path) -> list[str]:
    """Which columns a file lacks that a table of runs needs, each with the other names that it may have."""
    names = set(column_names(path))
    return [f"{name} (or {', '.join(_NAMES[name][1:])})" for name in _NEEDED if not names & set(_NAMES[name])]


@run_format(
    "table",
    "long tables (CSV, Parquet) with the columns algorithm, environment, run, score, and step where there is one",
    # A file with these columns, by these names or by usual ones.
    lambda reading, files: [
        Place(reading.below(path), (path,))
        for path in files
        if not missing_columns(path) and not {"_step", "_runtime"} & {*column_names(path)}
    ],
    steps_by_name=True,
)
def read_long_table(place: Place, reading: Reading) -> Iterator[Curve]:
    """The curves of all runs of each kind and metric of the table."""
    (path,) = place.paths
    header = column_names(path)
    columns = {
        name: found for name, usual in _NAMES.items() if (found := next((n for n in usual if n in header), None))
    }
    if reading.step is not None:
        columns["step"] = steps_among(header, reading.step, str(path))
    for column in columns.values():
        alike = [name for name in header if name.strip().casefold() == column.casefold()]
        if len(alike) > 1:
            what = f"the columns {' and '.join(map(shown, alike))} differ at most in case and blanks"
            raise InputError(str(path), what, "rename or remove all but one of them")
    texts = [columns[name] for name in ("algorithm", "environment", "run")]
    texts += [name for name in ("kind", "metric") if name in header]
    table = read_rows(path, texts, reading)
    if table.empty:
        raise InputError(str(path), "the table has no rows", "one row per run, or per run and step")
    metrics = table.attrs.get("metrics")
    if reading.asked is None and isinstance(metrics, dict):
        flags = {"returns": False, "kind_is_stated": True, "points_are_numbered": False}
        reading.stated = {name: bool(table.attrs.get(name, usual)) for name, usual in flags.items()}
        reading.stated["metrics"] = {str(name): str(metric) for name, metric in metrics.items()}
        reading.stated["format"] = str(table.attrs.get("format"))
    reading.metrics.update(set(table["metric"]) if "metric" in header else set(header) - {*texts, columns.get("step")})
    if "metric" in header:
        table = table if reading.asked is None else table[table["metric"].isin(reading.asked)]
        scores = {columns["score"]: ""}
    else:
        wanted = (columns["score"],) if reading.asked is None else reading.asked
        scores = {name: name for name in wanted if name in header}
    if table.empty:
        return
    hyperparameters = [name for name in reading.hyperparameters if name in header]
    keys = [*texts, *hyperparameters]
    _refuse_repeated_rows(table, keys, columns.get("step"), str(path))
    reading.kind_is_guessed = "kind" not in header and not any(map(says_kind, scores.values()))
    common = table[[*texts[:3], *hyperparameters]].set_axis([*NAMES, *hyperparameters], axis="columns")
    if "step" in columns:
        common["step"] = numbers(str(path), table[columns["step"]])
    if "episodes" in header:
        common["episodes"] = counts(str(path), table["episodes"])
    rest = texts[3:]
    parts = table.groupby(rest, sort=False, observed=True).indices if rest else {(): np.arange(len(table))}
    for column, metric in scores.items():
        points = common.assign(score=numbers(str(path), table[column]))
        for key, rows in parts.items():
            texts_of_rows = dict(zip(rest, key if isinstance(key, tuple) else (key,), strict=True))
            kind = texts_of_rows.get("kind") or kind_of_metric(metric)
            yield Curve(place.name, path, kind, metric or texts_of_rows["metric"], points.iloc[rows])


def _refuse_repeated_rows(table: pd.DataFrame, names: Sequence[str], step: str | None, where: str) -> None:
    """Raise an InputError for two scores of a run (and step) in a table without a column `episode` that numbers them.

    A table without steps and with a column `episodes`, as `surefoot read` writes it, may have a row for each episode.
    """
    if step is None and "episodes" in table:
        return
    keys = [*names, *(name for name in (step, "episode") if name in table)]
    again = table.duplicated(keys)
    if not again.any():
        return
    row = table[again].iloc[0]
    what = f"two rows have {', '.join(f'{name} {row[name]}' for name in keys)}"
    hint = "one row for each; rows that are episodes have a column episode that numbers them, and columns that tell "
    raise InputError(where, what, f"{hint}trainings apart, such as learning_rate, are named by --hyperparameters")


def read_rows(path: Path, texts: Sequence[str], reading: Reading) -> pd.DataFrame:
    """The rows of a CSV or Parquet file, with these columns as categories of texts, whatever they look like.

    Raises
    ------
    InputError
        where it is not readable as CSV, or a row has no name
    """
    is_csv = path.suffix == ".csv"
    table = read_csv(path, reading, written_by_line=False, texts=texts) if is_csv else pd.read_parquet(path)
    for name in texts:
        refuse_bad_names(str(path), name, table[name])
        # Not as pandas reads categories, for which 007 is 7.
        table[name] = table[name].astype(str).astype("category")
    return table


def _recognize_run_files(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A CSV with several columns, a progress.txt, or a file of JSON lines; of torchrl, a folder with a CSV for each
    metric."""
    found: dict[Path, list[Path]] = {}
    for path in files:
        if _is_of_torchrl(path):
            found.setdefault(_scalars(path).parent, []).append(path)
        elif _is_run_file(path):
            found[path.with_suffix("")] = [path]
    return [Place(reading.below(run), tuple(paths)) for run, paths in found.items()]


def _is_run_file(path: Path) -> bool:
    if path.suffix == ".csv":
        return len(csv_header(path)) > 1
    if path.name == "progress.txt":
        return b"\t" in head(path)
    begin = head(path).lstrip() if path.suffix in _LINES else b""
    first, _, second = begin.partition(b"\n")
    is_of_lines = path.suffix != ".json" or (first.rstrip().endswith(b"}") and second.startswith(b"{"))
    return begin.startswith(b"{") and is_of_lines


def _is_of_torchrl(path: Path) -> bool:
    """Whether it is a CSV of steps and values without a header, in a folder "scalars"."""
    return path.suffix == ".csv" and "scalars" in path.parts and bool(_VALUES.match(head(path)))


def _scalars(path: Path) -> Path:
    return next(folder for folder in path.parents if folder.name == "scalars")


@run_format(
    "run_files",
    "a file for each run (CSV, JSON lines, progress.txt) with a column of steps, as Lightning, torchrl, Spinning Up "
    "and loggers of one's own write",
    _recognize_run_files,
    fallback=True,
    steps_by_name=True,
)
def read_run_file(place: Place, reading: Reading) -> Iterator[Curve]:
    """The columns that are asked for; a row has values of what was logged then."""
    path = place.paths[0]
    if path.suffix in _LINES:
        rows = pd.json_normalize(list(json_lines(path, reading)), sep="/")
    elif _is_of_torchrl(path):
        rows = pd.concat([_log_of_torchrl(path, reading) for path in place.paths])
        rows = rows.sort_values("step", kind="stable", ignore_index=True)
    elif path.suffix == ".csv":
        rows = read_csv(path, reading, written_by_line=False)
    else:
        text = whole_lines(read_text(path, str(path)), path, reading)
        rows = parse_csv("\n".join(line.strip("\t ").replace("\t", ",") for line in text.splitlines()), str(path))
    if rows.empty:
        return
    try:
        axis = steps_among(list(rows.columns), reading.step, str(path))
    except InputError as error:
        if reading.step is not None:
            raise
        reading.remark(f"{reading.below(path)}: {error.what}, so it is left out")
        return
    named = _naming_columns(rows, axis, str(path))
    parts = rows.groupby([rows[name].astype(str) for name in named], sort=False) if named else [((), rows)]
    for key, logged in parts:
        names = dict(zip(named, map(str, key), strict=True))
        texts = {column: value for column, value in logged.iloc[0].items() if isinstance(value, str)}
        config = {**texts, **names, **read_configuration_beside(path)}
        own = Curve("/".join([place.name, *names.values()]), path, config=config)
        for curve in curves_of_rows(own, logged, axis, reading, others=named):
            if len(curve.points):
                reading.remark(f"scores are those of the column {curve.metric}, at the steps of the column {axis}")
            yield curve


def _naming_columns(rows: pd.DataFrame, axis: str, where: str) -> list[str]:
    """The columns that tell apart several runs in one file, whose steps begin anew for each; none of a single run."""
    if kept_after_restarts(numbers(where, rows[axis].dropna()).to_numpy()).all():
        return []
    usual = dict.fromkeys([*chain.from_iterable(USUAL_KEYS.values()), "run_id"])
    return [name for name in usual if name in rows and rows[name].dropna().astype(str).nunique() > 1]


def _log_of_torchrl(path: Path, reading: Reading) -> pd.DataFrame:
    """The steps and the values of a metric, whose name is that of its file."""
    metric = path.relative_to(_scalars(path)).with_suffix("").as_posix()
    text = whole_lines(read_text(path, str(path)), path, reading)
    return without_restarts(parse_csv(f"step,{metric}\n{text}", str(path)), "step", reading.below(path), reading)
