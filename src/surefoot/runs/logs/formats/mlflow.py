"""MLflow's file store (``mlruns/<experiment>/<run>/``) and SQLite database (``mlflow.db``)."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.logs.account import CONFIGURATION, OTHER_FILE, Entry
from surefoot.runs.logs.continued import split_parts, without_restarts
from surefoot.runs.logs.log_files import read_configuration
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import along
from surefoot.runs.logs.metrics import chosen_metrics
from surefoot.runs.logs.run_formats import run_format

_SUFFIXES = (".db", ".sqlite", ".sqlite3")
_TABLES = {"runs", "metrics", "params", "experiments"}
_RUNS = """SELECT runs.run_uuid, runs.name, experiments.name, runs.lifecycle_stage FROM runs
    JOIN experiments USING (experiment_id) ORDER BY runs.start_time, runs.run_uuid"""
_METRICS = """SELECT key, step, timestamp AS time, CASE WHEN is_nan THEN NULL ELSE value END AS score FROM metrics
    WHERE run_uuid = ? ORDER BY timestamp, step"""
_POINTS = ("step", "score", "time")
_EXPORT = "write a long table (algorithm, environment, run, step, score) with MlflowClient().get_metric_history"


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each folder with meta.yaml and metrics, and for each database with MLflow's tables."""
    runs = {path.parent: [path] for path in files if path.name == "meta.yaml" and (path.parent / "metrics").is_dir()}
    for path in files if runs else ():
        folders = [folder for folder in path.parents if folder.name in ("metrics", "params") and folder.parent in runs]
        if folders:
            runs[folders[-1].parent].append(path)
    databases = [path for path in files if path.suffix in _SUFFIXES and _tables(path) >= _TABLES]
    places = [Place(reading.below(folder), tuple(paths)) for folder, paths in runs.items()]
    return places + [Place(reading.below(path), (path,)) for path in databases]


def _tables(path: Path) -> set[str]:
    """Return the names of the tables in a database; an empty set if it is unreadable."""
    try:
        with closing(_opened(path)) as database:
            return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return set()


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


@run_format(
    "mlflow",
    "MLflow: its store of files (mlruns/), and its SQLite database (mlflow.db)",
    _recognize,
    contains=("run_files", "run_arrays"),
    steps_by_name=True,
    fallback=True,  # if another format is found, MLflow has usually logged the same runs a second time
)
def read_mlflow(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the requested metrics of runs that were not deleted, with the parameters as configuration."""
    path, *others = place.paths
    for run in [_run_in_files(path)] if path.name == "meta.yaml" else _runs_in_database(path):
        if run.stage == "deleted":
            for file in place.paths:
                remark = f"{run.name}: deleted in MLflow, and left out"
                reading.leave_out(file, "deleted in MLflow", remark, place=run.name)
            continue
        chosen = chosen_metrics(run.points, reading)
        read = {path.parent / "metrics" / metric for metric, _ in chosen}
        for file in [path, *others] if others and chosen else others:
            if file not in read:
                is_metric = (path.parent / "metrics") in file.parents
                reason = "another metric" if is_metric else CONFIGURATION
                reading.entries.append(Entry(reading.below(file), OTHER_FILE, reason, run.name))
        for metric, kind in chosen:
            source = path.parent / "metrics" / metric if others else path
            points = without_restarts(run.points[metric], "step", source, run.name, reading)
            curve = Curve(run.name, source, kind, metric, config=run.params)
            start = min(float(rows["time"].min()) for rows in run.points.values())
            yield from split_parts(curve, along(points, run.points, start, curve, reading))


class _Run(NamedTuple):
    """Run of an experiment.

    name : <experiment>/<run>
    stage : "active" or "deleted"
    params : parameters by name
    points : steps and scores by metric
    """

    name: str
    stage: str
    params: Mapping[str, str]
    points: Mapping[str, pd.DataFrame]


def _run_in_files(meta: Path) -> _Run:
    folder = meta.parent
    experiment = read_configuration(folder.parent / "meta.yaml").get("name", folder.parent.name)
    named = folder / "tags" / "mlflow.runName"
    run = _text(named) if named.is_file() else folder.name
    place = f"{experiment}/{run}"
    stage = str(read_configuration(meta).get("lifecycle_stage"))
    if stage == "deleted":  # a deleted run may be damaged
        return _Run(place, stage, {}, {})
    params = {name: _text(file) for name, file in _files_below(folder / "params")}
    points = {name: _points(file) for name, file in _files_below(folder / "metrics")}
    return _Run(place, stage, params, points)


def _seconds(points: pd.DataFrame) -> pd.Series:
    return points["time"] / 1000  # MLflow stores milliseconds


def _files_below(folder: Path) -> list[tuple[str, Path]]:
    """Return (name, file) for each file; the name of a metric or parameter is the path below the folder."""
    return [(file.relative_to(folder).as_posix(), file) for file in sorted(folder.rglob("*")) if file.is_file()]


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()


def _points(file: Path) -> pd.DataFrame:
    """Return the steps and scores in a file with lines "time value step"."""
    try:
        return pd.DataFrame(np.loadtxt(file, ndmin=2)[:, [2, 1, 0]], columns=[*_POINTS]).assign(time=_seconds)
    except (ValueError, IndexError):
        raise InputError(str(file), "its lines are not time, value and step", "is the file complete?") from None


def _runs_in_database(path: Path) -> Iterator[_Run]:
    try:
        with closing(_opened(path)) as database:
            for run, name, experiment, stage in database.execute(_RUNS).fetchall():
                params = dict(database.execute("SELECT key, value FROM params WHERE run_uuid = ?", (run,)))
                logged = pd.read_sql_query(_METRICS, database, params=(run,)).groupby("key", sort=False)
                points = {str(key): rows[[*_POINTS]].astype(np.float64).assign(time=_seconds) for key, rows in logged}
                yield _Run(f"{experiment}/{name or run}", stage, params, points)
    except sqlite3.Error as error:
        raise InputError(str(path), f"not readable as MLflow's database: {error}", _EXPORT) from None
