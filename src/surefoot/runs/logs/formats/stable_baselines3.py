"""Stable-Baselines3 (monitor files, evaluations, logger) and the folders of rl-baselines3-zoo."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.csv_text import parse_csv
from surefoot.runs.columns.numbers import numbers, score_array
from surefoot.runs.columns.run_names import refuse_missing_columns
from surefoot.runs.given_files import parse_json, read_text
from surefoot.runs.logs.file_kinds import kind_in_name
from surefoot.runs.logs.log_files import csv_header, read_configuration, read_csv_log, read_npz, whole_lines
from surefoot.runs.logs.logged_curves import Curve, Place, Reading, of_place
from surefoot.runs.logs.logged_rows import NOTHING_UNDEFINED, WALL_TIME, curves_of_rows
from surefoot.runs.logs.metrics import ENVIRONMENT_STEPS, chosen_metrics, steps_among
from surefoot.runs.logs.run_formats import Logged, run_format

_TOOL = "Stable-Baselines3"
_MONITOR = "monitor.csv"
_EVALUATIONS = "evaluations.npz"
_OUTCOMES = "successes"
_STEPS = "time/total_timesteps"
_EVALUATED = "eval/mean_reward"
_TRAINED = "rollout/ep_rew_mean"
_ARGUMENTS = ("args.yml", "config.yml")
_COUNTED = re.compile(r"(?P<environment>.+)_(?P<counter>\d+)(?:_[0-9a-f-]{36})?")
_KEYS = {"algorithm": "algo", "environment": "env", "run": "seed"}


def _monitor_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each training, with the monitor files of all workers.

    Workers' files are in one folder and differ only in a number, which is not a seed, such as ``0.monitor.csv`` and
    ``1.monitor.csv``. Files of evaluations are separate.
    """
    places: list[Place] = []
    for folder in reading.run_places(files):
        workers: dict[str, list[Path]] = {}
        for path in folder.paths:
            workers.setdefault(re.sub(r"\d+", "", path.name.removesuffix(_MONITOR)).strip("._-"), []).append(path)
        named = {name: kind_in_name(name) for name in workers}
        kinds = Counter(kind.kind for kind in named.values())
        for name, paths in workers.items():
            kind, rest = named[name]
            apart = f"/{rest or name}" if kinds[kind] > 1 else ""
            places.append(Place(f"{folder.name}{apart}", tuple(paths), kind or folder.kind))
    return places


@run_format(
    "stable_baselines3_monitor",
    "Stable-Baselines3's monitor files (*monitor.csv): returns of complete training episodes",
    lambda reading, files: _monitor_places(reading, [path for path in files if path.name.endswith(_MONITOR)]),
    unit=ENVIRONMENT_STEPS,
    steps_by_name=True,
    logged={"train": Logged(_TOOL, "episode")},
)
def read_monitor(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the episodes of all workers as one curve, ordered by time; steps are the cumulative episode lengths.

    If a file was appended to (`override_existing=False`), its times restart, and the training is assumed to continue.
    """
    trainings = [part for path in place.paths for part in _trainings(path, reading)]
    if not trainings:
        remark = f"{reading.below(place.paths[0])}: no complete episode yet, so there are no training returns"
        reading.without_score(place.paths[0], "no complete episode", remark, place.name)
        return
    parts = [part for _, part in trainings]
    episodes = parts[0]
    if len(parts) > 1:
        together = pd.concat(parts, join="inner")
        episodes = together.sort_values(["training", "ended"], kind="stable", ignore_index=True)
    if episodes["training"].max() > 0:
        reading.remark(f"{place.name}: its monitor files were appended to; the training is assumed to have continued")
    environments = {environment for environment, _ in trainings}
    labels = {"environment": environments.pop()} if len(environments) == 1 and environments != {"None"} else {}
    is_of_training = place.kind != "eval"
    steps_of_evaluations = "" if is_of_training else "steps of evaluations count their own episodes"
    reading.points_are_numbered |= not is_of_training
    curve = Curve(place.name, place.paths[0], "train", labels=labels, remark=steps_of_evaluations)
    episodes["step"] = np.cumsum(episodes["l"].to_numpy(np.float64))
    axis = "step"
    if reading.step is not None:
        episodes[WALL_TIME] = episodes["ended"] - (episodes["ended"] - episodes["t"]).min()
        counters = [name for name in episodes if name not in ("training", "ended")]
        axis = steps_among(counters, reading, place.name)
    others = ("training", "ended", "t", "step", WALL_TIME)
    no_return = episodes["r"].isna()
    undefined = pd.DataFrame({"r": no_return}) if no_return.any() else NOTHING_UNDEFINED
    yield from curves_of_rows(curve, episodes, axis, reading, {"train": ("r",)}, others, undefined)


def _trainings(path: Path, reading: Reading) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the environment and a table of the episodes for each part of a file; every part begins with a header.

    The table has one row per episode, with the columns of the file, ended (seconds since the epoch), and training (a
    number that is incremented when times go back).
    """
    text = whole_lines(read_text(path, str(path)), path, reading)
    if text.strip() and not text.startswith("#"):
        raise InputError(str(path), "its first line is not a header such as #{...}", "is it a monitor file?")
    trainings = 0
    for part in ("\n" + text).split("\n#")[1:]:
        line, _, body = part.partition("\n")
        try:
            header = parse_json(line, str(path))
        except (JSONDecodeError, RecursionError):
            header = None
        if not isinstance(header, dict):
            what = f"its header is not a JSON object: {line[:80]}"
            raise InputError(str(path), what, "is it a monitor file?")
        episodes = parse_csv(body, str(path))
        if episodes.empty:
            continue
        refuse_missing_columns(str(path), episodes, ("r", "l", "t"))
        lengths = numbers(str(path), episodes["l"]).to_numpy()
        times = numbers(str(path), episodes["t"]).to_numpy()
        if np.isnan(lengths + times).any():
            raise InputError(str(path), "a line has no number in the columns l and t", "is the file complete?")
        training = trainings + np.cumsum(np.diff(times, prepend=times[0]) < 0)
        trainings = int(training[-1]) + 1
        truths = {name: np.float64 for name, kind in episodes.dtypes.items() if kind.kind == "b"}
        ended = times + float(header.get("t_start") or 0.0)
        episodes = episodes.astype(truths) if truths else episodes
        episodes["training"] = training
        episodes["ended"] = ended
        yield str(header.get("env_id")), episodes


@run_format(
    "stable_baselines3_evaluations",
    "Stable-Baselines3's evaluations (evaluations.npz): returns of episodes played apart from training",
    # A run is a folder with `evaluations.npz`.
    lambda reading, files: reading.run_places(path for path in files if path.name == _EVALUATIONS),
    contains=("stable_baselines3_progress", "tensorboard"),
    beside=("stable_baselines3_monitor",),
    steps_by_name=True,
    # Logged by `EvalCallback`, which evaluates the deterministic policy by default.
    unit=ENVIRONMENT_STEPS,
    logged={"eval": Logged(_TOOL, "mean", deterministic=True, counted=True)},
)
def read_evaluations(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the mean over the episodes of each evaluation."""
    (path,) = place.paths
    arrays = read_npz(path, reading)
    if arrays is None:
        return
    if "timesteps" not in arrays or "results" not in arrays:
        what = f"it has {', '.join(arrays) or 'nothing'}"
        raise InputError(str(path), what, "EvalCallback writes timesteps and results")
    axis = "timesteps" if reading.step is None else _counter_of_evaluations(arrays, reading, path)
    steps = score_array(str(path), axis, arrays[axis])
    metrics = [name for name in arrays if name not in ("timesteps", axis)]
    for metric, kind in chosen_metrics(metrics, reading, {"eval": ("results",)}, "eval"):
        scores = score_array(str(path), metric, arrays[metric], truths=metric == _OUTCOMES)
        if scores.ndim != 2 or len(scores) != steps.size or scores.shape[1] == 0:
            what = f"{metric} has the shape {scores.shape}, and there are {steps.size} time steps"
            raise InputError(str(path), what, "use an array of evaluations x episodes")
        points = {"step": steps, "score": scores.mean(axis=1), "episodes": scores.shape[1]}
        yield Curve(place.name, path, kind, metric, pd.DataFrame(points))


def _counter_of_evaluations(arrays: Mapping[str, Any], reading: Reading, path: Path) -> str:
    """Return the name of the requested counter, which must be an array with one number per evaluation.

    Raises
    ------
    InputError
        if there is no such array
    """
    counters = [name for name, array in arrays.items() if array.shape == arrays["timesteps"].shape]
    try:
        return steps_among(counters, reading, str(path))
    except InputError as error:
        hint = f'{error.hint}; or use --files "*{_MONITOR}" if it is a counter in monitor files'
        raise InputError(error.where, error.what, hint) from None


@run_format(
    "stable_baselines3_progress",
    "Stable-Baselines3's logger (progress.csv): running means of the last training episodes, and evaluations",
    # A run is a folder with a progress.csv that has the logger's column of steps.
    lambda reading, files: reading.run_places(
        path for path in files if path.name == "progress.csv" and _STEPS in csv_header(path)
    ),
    contains=("tensorboard",),
    beside=("stable_baselines3_monitor",),
    steps_by_name=True,
    # By default, means over the last `stats_window_size` episodes of training, or `n_eval_episodes` of an evaluation.
    unit=ENVIRONMENT_STEPS,
    logged={
        _TRAINED: Logged(_TOOL, "running_mean", episodes=100),
        _EVALUATED: Logged(_TOOL, "mean", deterministic=True, episodes=5),
        "": Logged(_TOOL),
    },
)
def read_progress(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the requested columns, each without the rows in which no value was logged."""
    (path,) = place.paths
    known = {"eval": (_EVALUATED,), "train": (_TRAINED,)}
    rows, undefined = read_csv_log(path, reading)
    axis = _STEPS if reading.step is None else steps_among(list(rows), reading, str(path))
    for curve in curves_of_rows(Curve(place.name, path), rows, axis, reading, known, undefined=undefined):
        remark = f"{curve.metric} is a running mean over the last episodes, so nearby points are correlated"
        yield curve._replace(remark=remark if curve.metric == _TRAINED else "")


def _zoo_places(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each folder with monitor files or evaluations, and training arguments in a subfolder."""
    arguments = {path.parent.parent for path in files if path.name in _ARGUMENTS}
    logs = (path for path in files if path.name.endswith(_MONITOR) or path.name == _EVALUATIONS)
    return reading.places(path for path in logs if path.parent in arguments)


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
    steps_by_name=True,
    # As for the callbacks, except that evaluations of Atari games are not deterministic by default.
    unit=ENVIRONMENT_STEPS,
    logged={"train": Logged(_TOOL, "episode"), "eval": Logged(_TOOL, "mean", counted=True)},
)
def read_zoo(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of monitor files and evaluations; the counter in the folder's name is not a seed."""
    folder = place.paths[0].parent
    # The arguments of the training are in a folder with the environment's name.
    arguments, config = (
        next(filter(None, map(read_configuration, sorted(folder.glob(f"*/{name}")))), {}) for name in _ARGUMENTS
    )
    match = _COUNTED.fullmatch(folder.name)
    labels = {"algorithm": folder.parent.name, "environment": match["environment"] if match else folder.name}
    labels |= {name: str(arguments[key]) for name, key in _KEYS.items() if isinstance(arguments.get(key), str | int)}
    if "run" not in labels or labels["run"].startswith("-"):
        reading.remark(f"{place.name}: no seed in args.yml, so the run is named after its folder")
        labels["run"] = place.name
    monitors = tuple(path for path in place.paths if path.name.endswith(_MONITOR))
    evaluations = tuple(path for path in place.paths if path.name == _EVALUATIONS)
    for part in _monitor_places(reading, monitors):
        for curve in read_monitor(part._replace(name=place.name), reading):
            yield of_place(curve, part, reading)._replace(labels=labels, config={**arguments, **config})
    for curve in read_evaluations(Place(place.name, evaluations), reading) if evaluations else ():
        yield curve._replace(labels=labels, config={**arguments, **config})
