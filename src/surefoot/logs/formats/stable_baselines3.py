"""Stable-Baselines3 (its monitor files, its evaluations and its logger) and the folders of rl-baselines3-zoo."""

import csv
import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError
from pathlib import Path
from typing import NamedTuple

import numpy as np

from surefoot.build.errors import InputError
from surefoot.build.given_files import parse_json, read_text
from surefoot.columns import score_array
from surefoot.logs.curves import (
    Curve,
    Floats,
    Place,
    Reading,
    chosen_metrics,
    curves_of_rows,
    numeric_columns,
    rows_of_steps,
)
from surefoot.logs.files import csv_header, read_configuration, read_csv, read_npz, whole_lines
from surefoot.logs.run_formats import Logged, run_format

_TOOL = "Stable-Baselines3"
_MONITOR = "monitor.csv"
_EPISODE_RETURN = "r"
_TRUTHS = {"True": "1", "False": "0"}
_EVALUATIONS = "evaluations.npz"
_OUTCOMES = "successes"
_STEPS = "time/total_timesteps"
_RETURNS = {"eval": ("eval/mean_reward",), "train": ("rollout/ep_rew_mean",)}
_ARGUMENTS = ("args.yml", "config.yml")
_COUNTED = re.compile(r"(?P<environment>.+)_(?P<counter>\d+)(?:_[0-9a-f-]{36})?")
_KEYS = {"algorithm": "algo", "environment": "env", "run": "seed"}


def _monitor_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with monitor files, whose numbers are those of workers and no seeds."""
    return reading.places(path for path in files if path.name.endswith(_MONITOR))


def _logged_by_monitor(kind: str, metric: str, environment: str) -> Logged:
    """Complete episodes of training, one a line."""
    return Logged(_TOOL, "episode")


@run_format(
    "stable_baselines3_monitor",
    "Stable-Baselines3's monitor files (*monitor.csv): returns of complete training episodes",
    _monitor_places,
    logged=_logged_by_monitor,
)
def read_monitor(place: Place, reading: Reading) -> Iterator[Curve]:
    """The episodes of all workers in the order in which they ended; the step of one is the sum of all lengths up to it.

    Where a file was appended to (`override_existing=False`), its times begin again: the training is taken to go on.
    """
    parts = [segment for path in place.paths for segment in _segments(path, reading)]
    if not parts:
        reading.remark(f"{reading.below(place.paths[0])}: no complete episode yet, so it has no training returns")
        return
    trainings = np.concatenate([np.full(part.ended.size, part.number) for part in parts])
    if trainings.max() > 0:
        reading.remark(f"{place.name}: its monitor files were appended to; the training is taken to have gone on")
    order = np.lexsort((np.concatenate([part.ended for part in parts]), trainings))
    steps = np.concatenate([part.columns["l"] for part in parts])[order].cumsum()
    metrics = set.intersection(*(set(part.columns) for part in parts))
    reading.metrics.update(metrics)
    environments = {part.environment for part in parts}
    told = {"environment": environments.pop()} if len(environments) == 1 and environments != {"None"} else {}
    for metric in reading.asked or [_EPISODE_RETURN]:
        if metric in metrics:
            scores = np.concatenate([part.columns[metric] for part in parts])[order]
            yield Curve(place.name, place.paths[0], "train", metric, steps, scores, told=told)


class _Segment(NamedTuple):
    """Episodes that one training wrote to a file.

    number : of the training, from 0, by what was appended
    environment : as the header names it
    ended : float64[episodes], when each ended, in seconds since the epoch
    columns : float64[episodes] of each column of numbers
    """

    number: int
    environment: str
    ended: Floats
    columns: dict[str, Floats]


def _segments(path: Path, reading: Reading) -> Iterator[_Segment]:
    """What each training wrote to the file: a new one begins at another header, or where times go back."""
    text = whole_lines(read_text(path, str(path)), path, reading)
    if not text.strip():
        return
    if not text.startswith("#"):
        raise InputError(str(path), "its first line is no header such as #{...}", "is it a monitor file?")
    number = 0
    for part in ("\n" + text).split("\n#")[1:]:
        line, _, body = part.partition("\n")
        try:
            header = parse_json(line, str(path))
        except (JSONDecodeError, RecursionError):
            header = None
        if not isinstance(header, dict):
            what = f"its header is not a JSON object: {line[:80]}"
            raise InputError(str(path), what, "is it a monitor file?")
        names, *episodes = [row for row in csv.reader(body.splitlines()) if row] or [[]]
        if not episodes:
            continue
        columns = dict(_columns(names, episodes, path))
        times = columns.pop("t")
        for rows in np.split(np.arange(times.size), np.flatnonzero(np.diff(times) < 0) + 1):
            ended = times[rows] + float(header.get("t_start") or 0.0)
            of_rows = {name: values[rows] for name, values in columns.items()}
            yield _Segment(number, str(header.get("env_id")), ended, of_rows)
            number += 1


def _columns(names: Sequence[str], episodes: Sequence[Sequence[str]], path: Path) -> Iterator[tuple[str, Floats]]:
    """(name, values) of the columns of numbers; those that a user logs beside may be texts."""
    if missing := {"r", "l", "t"} - set(names):
        raise InputError(str(path), f"no column {min(missing)}", "monitor files have the columns r, l, t")
    if again := [name for place, name in enumerate(names) if name in names[:place]]:
        raise InputError(str(path), f'two columns are called "{again[0]}"', "rename or remove one of them")
    if unlike := next((row for row in episodes if len(row) != len(names)), None):
        what = f"a line has {len(unlike)} fields and the header {len(names)}: {','.join(unlike)[:80]}"
        raise InputError(str(path), what, "is the file whole?")
    for name, values in zip(names, zip(*episodes, strict=True), strict=True):
        try:
            yield name, np.array([_TRUTHS.get(value, value) for value in values], np.float64)
        except ValueError:
            if name in ("r", "l", "t"):
                what = f"the column {name} has values that are no numbers"
                raise InputError(str(path), what, "is the file whole?") from None


def _evaluation_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with `evaluations.npz`."""
    return reading.places(path for path in files if path.name == _EVALUATIONS)


def _logged_by_callback(kind: str, metric: str, environment: str) -> Logged:
    """The mean over the episodes of an evaluation, which `EvalCallback` plays deterministically by default."""
    return Logged(_TOOL, "mean", deterministic=True, counted=True)


@run_format(
    "stable_baselines3_evaluations",
    "Stable-Baselines3's evaluations (evaluations.npz): returns of episodes played apart from training",
    _evaluation_places,
    contains=("stable_baselines3_progress", "tensorboard"),
    beside=("stable_baselines3_monitor",),
    logged=_logged_by_callback,
)
def read_evaluations(place: Place, reading: Reading) -> Iterator[Curve]:
    """The mean over the episodes of each evaluation."""
    (path,) = place.paths
    arrays = read_npz(path, reading)
    if arrays is None:
        return
    if "timesteps" not in arrays or "results" not in arrays:
        what = f"it has {', '.join(arrays) or 'nothing'}"
        raise InputError(str(path), what, "EvalCallback writes timesteps and results")
    metrics = [name for name in arrays if name != "timesteps"]
    reading.metrics.update(metrics)
    steps = score_array(str(path), "timesteps", arrays["timesteps"])
    for metric in reading.asked or ["results"]:
        if metric not in metrics:
            continue
        scores = score_array(str(path), metric, arrays[metric], truths=metric == _OUTCOMES)
        if scores.ndim != 2 or len(scores) != steps.size or scores.shape[1] == 0:
            what = f"{metric} has the shape {scores.shape}, and there are {steps.size} time steps"
            raise InputError(str(path), what, "evaluations x episodes")
        episodes = np.full(steps.size, scores.shape[1], dtype=np.int64)
        yield Curve(place.name, path, "eval", metric, steps, scores.mean(axis=1), episodes)


def _progress_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a progress.csv that has the logger's column of steps."""
    return reading.places(path for path in files if path.name == "progress.csv" and _STEPS in csv_header(path))


def _logged_by_logger(kind: str, metric: str, environment: str) -> Logged:
    """Running means of training over the `stats_window_size` last episodes, by default 100; means of evaluations over
    `n_eval_episodes`, by default 5 and of the deterministic policy."""
    if metric in _RETURNS["train"]:
        return Logged(_TOOL, "running_mean", episodes=100)
    return Logged(_TOOL, "mean", deterministic=True, episodes=5) if metric in _RETURNS["eval"] else Logged(_TOOL)


@run_format(
    "stable_baselines3_progress",
    "Stable-Baselines3's logger (progress.csv): running means of the last training episodes, and evaluations",
    _progress_places,
    contains=("tensorboard",),
    beside=("stable_baselines3_monitor",),
    logged=_logged_by_logger,
)
def read_progress(place: Place, reading: Reading) -> Iterator[Curve]:
    """The columns that are asked for; a row has values of what was logged then."""
    (path,) = place.paths
    rows = rows_of_steps(read_csv(path, reading), _STEPS, path, reading.below(path), reading)
    metrics = chosen_metrics(numeric_columns(rows, _STEPS), _RETURNS, reading)
    for curve in curves_of_rows(Curve(place.name, path, "", ""), rows, _STEPS, metrics):
        is_running = curve.metric in _RETURNS["train"]
        remark = f"{curve.metric} is a running mean over the last episodes: points near each other are alike"
        yield curve._replace(remark=remark if is_running else "")


def _zoo_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder that has the arguments of its training in a folder below, beside monitor files or
    evaluations."""
    arguments = {path.parent.parent for path in files if path.name in _ARGUMENTS}
    logs = (path for path in files if path.name.endswith(_MONITOR) or path.name == _EVALUATIONS)
    return reading.places(path for path in logs if path.parent in arguments)


def _logged_by_zoo(kind: str, metric: str, environment: str) -> Logged:
    """As the callbacks of Stable-Baselines3 log it; but evaluations of Atari games are not deterministic by default."""
    if kind == "train":
        return _logged_by_monitor(kind, metric, environment)
    is_atari = "NoFrameskip" in environment or environment.startswith("ALE")
    return _logged_by_callback(kind, metric, environment)._replace(deterministic=not is_atari)


@run_format(
    "zoo",
    "rl-baselines3-zoo's folders (<algorithm>/<environment>_<counter>/): training and evaluation returns",
    _zoo_places,
    contains=(
        "stable_baselines3_monitor",
        "stable_baselines3_evaluations",
        "stable_baselines3_progress",
        "tensorboard",
        "rliable",
    ),
    logged=_logged_by_zoo,
)
def read_zoo(place: Place, reading: Reading) -> Iterator[Curve]:
    """The curves of the monitor files and of the evaluations; the counter of the folder is no seed."""
    folder = place.paths[0].parent
    # The arguments of the training stand in a folder that has the environment's name.
    arguments, config = (
        next(filter(None, map(read_configuration, sorted(folder.glob(f"*/{name}")))), {}) for name in _ARGUMENTS
    )
    match = _COUNTED.fullmatch(folder.name)
    told = {"algorithm": folder.parent.name, "environment": match["environment"] if match else folder.name}
    told |= {name: str(arguments[key]) for name, key in _KEYS.items() if isinstance(arguments.get(key), str | int)}
    if "run" not in told or told["run"].startswith("-"):
        reading.remark(f"{place.name}: no seed in args.yml, so the run goes by the name of its folder")
        told["run"] = place.name
    monitors = tuple(path for path in place.paths if path.name.endswith(_MONITOR))
    evaluations = tuple(path for path in place.paths if path.name == _EVALUATIONS)
    for read, paths in ((read_monitor, monitors), (read_evaluations, evaluations)):
        for curve in read(Place(place.name, paths), reading) if paths else ():
            yield curve._replace(told=told, config={**arguments, **config})
