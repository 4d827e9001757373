"""Weights & Biases: exports of its page (wide), of its API (long), and histories of runs in Parquet."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.logs.curves import (
    RETURNS,
    STEPS,
    Curve,
    Floats,
    Notes,
    Place,
    chosen_metrics,
    kept_rows,
    steps_among,
    usual_metrics,
)
from surefoot.logs.data_files import read_configuration
from surefoot.logs.formats.table import column_names, numbers, read_rows
from surefoot.logs.listing import below

DESCRIPTION = "Weights & Biases: CSV exports of its pages, tables of its API, and histories of runs in Parquet"
CONTAINS = ("rliable",)
STEPS_BY_NAME = True
_OWN = ("_step", "_runtime", "_timestamp")
_RUNS = ("run_id", "id", "run", "run_name", "name", "Name")
_EXTREMES = ("__MIN", "__MAX")
_CONFIGURATION = ("config.yaml", "config.json", "wandb-config.json")
_SAMPLED = 500


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A table with columns of Weights & Biases: `_step` and the like, or ``<run> - <metric>__MIN``."""
    found = []
    for path in files:
        names = column_names(path)
        if any(name in _OWN for name in names) or any(name.endswith(_EXTREMES) and " - " in name for name in names):
            found.append(Place(below(root, path.with_suffix("")), (path,)))
    return found


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of an export; the axis is that of environment steps where it has one."""
    (path,) = place.paths
    names = column_names(path)
    if any(name.endswith(_EXTREMES) for name in names):
        yield from _wide(place, root, asked, notes)
        return
    runs = next((name for name in _RUNS if name in names), None)
    if runs is None:
        yield from history(place, read_rows(path, below(root, path), (), notes), _beside(path), asked, notes)
        return
    texts = [name for name in names if name in _RUNS]
    for name, rows in read_rows(path, below(root, path), texts, notes).groupby(runs, sort=False):
        first = rows.iloc[0]
        config = {key: first[key] for key in names if isinstance(first[key], str | int | np.integer)}
        config = {key: int(value) if isinstance(value, np.integer) else value for key, value in config.items()}
        yield from history(place._replace(name=f"{place.name}/{name}"), rows, config, asked, notes)


def history(
    place: Place,
    rows: pd.DataFrame,
    config: Mapping[str, Any],
    asked: Sequence[str] | None,
    notes: Notes,
    whole: bool = False,
) -> Iterator[Curve]:
    """The curves of one run: a row holds what was logged together, and no value of the rest; whole, if it is known that
    it is no sample."""
    axis = steps_among(list(rows.columns), place.step, str(place.paths[0]))
    if axis == "_step":
        notes.remark(f"{place.name}: its steps are those of logging (_step), since it has no global_step")
    rows = rows[rows[axis].notna()]
    rows = rows[kept_rows(numbers(rows[axis], place.paths[0]), place.name, notes)]
    if len(rows) == _SAMPLED and not whole:
        notes.remark(
            f"{place.name}: {_SAMPLED} rows are what history() samples of a longer run; scan_history() gives all"
        )
    numeric = [name for name in rows.columns if rows[name].dtype.kind in "fiu" and name not in (*_OWN, axis)]
    for metric, kind in usual_metrics(numeric, asked, notes):
        logged = rows[rows[metric].notna()]
        scores = numbers(logged[metric], place.paths[0])
        steps = numbers(logged[axis], place.paths[0])
        yield Curve(place.name, place.paths[0], kind, metric, steps, scores, np.ones(steps.size, np.int64), {}, config)


def _beside(path: Path) -> Mapping[str, Any]:
    """The configuration of a run that lies beside its history."""
    for name in (f"{path.stem}.json", f"{path.stem}.yaml", *_CONFIGURATION):
        if found := read_configuration(path.with_name(name)):
            return found
    return {}


def _wide(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """A column for each run, as the page exports a chart: refused where its values are of buckets or groups."""
    (path,) = place.paths
    rows = read_rows(path, below(root, path), (), notes)
    axis = place.step or next((name for name in STEPS if name in rows.columns), str(rows.columns[0]))
    if axis in ("Step", "_step"):
        notes.remark(f"{place.name}: its steps are those of the chart (Step), which may be those of logging")
    steps = numbers(rows[axis], path)
    for name in rows.columns:
        run, dash, metric = str(name).rpartition(" - ")
        if not dash or name.endswith(_EXTREMES) or metric in STEPS or (asked is not None and metric not in asked):
            notes.metrics.update({metric} if dash and not name.endswith(_EXTREMES) else ())
            continue
        scores = numbers(rows[name], path)
        _refuse_aggregates(path, str(name), run, scores, rows)
        there = ~np.isnan(scores)
        kind = chosen_metrics([metric], [metric], RETURNS, notes)[0][1]
        episodes = np.ones(int(there.sum()), np.int64)
        yield Curve(f"{place.name}/{run}", path, kind, metric, steps[there], scores[there], episodes)


def _refuse_aggregates(path: Path, column: str, run: str, scores: Floats, rows: pd.DataFrame) -> None:
    hint = "export ungrouped runs, or their whole history by scan_history() of the API"
    if re.match(r"[\w.]+: ", run):
        raise InputError(str(path), f'"{column}" is of a group of runs: "{run}"', hint)
    for extreme in _EXTREMES:
        if column + extreme in rows.columns:
            other = numbers(rows[column + extreme], path)
            unlike = ~(np.isclose(other, scores, rtol=1e-9, atol=0) | np.isnan(other) | np.isnan(scores))
            if unlike.any():
                row = int(np.flatnonzero(unlike)[0])
                what = f'"{column}" is {scores[row]:g} in row {row} and its {extreme[2:]} {other[row]:g}: a mean over'
                raise InputError(str(path), f"{what} a bucket of steps or a group of runs", hint)
