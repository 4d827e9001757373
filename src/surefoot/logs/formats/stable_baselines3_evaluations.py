"""Stable-Baselines3's `EvalCallback`: all evaluations of a run in one file, each over several episodes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from surefoot.build.errors import InputError
from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.data_files import read_npz
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "Stable-Baselines3's evaluations (evaluations.npz): returns of episodes played apart from training"
CONTAINS = ("stable_baselines3_progress", "tensorboard")
BESIDE = ("stable_baselines3_monitor",)
_RETURN = "results"


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with `evaluations.npz`."""
    return [Place(below(root, path.parent), (path,)) for path in files if path.name == "evaluations.npz"]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """The mean over the episodes of an evaluation, which `EvalCallback` plays deterministically by default."""
    return Logged("Stable-Baselines3", "mean", deterministic=True, counted=True)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The mean over the episodes of each evaluation."""
    (path,) = place.paths
    arrays = read_npz(path, below(root, path), notes)
    if arrays is None:
        return
    if "timesteps" not in arrays or _RETURN not in arrays:
        what = f"it has {', '.join(arrays) or 'nothing'}"
        raise InputError(str(path), what, "EvalCallback writes timesteps and results")
    metrics = [name for name in arrays if name != "timesteps"]
    notes.metrics.update(metrics)
    steps = arrays["timesteps"].astype(np.float64)
    for metric in (_RETURN,) if asked is None else asked:
        if metric not in arrays or metric == "timesteps":
            continue
        scores = arrays[metric].astype(np.float64)
        if scores.ndim != 2 or len(scores) != steps.size or scores.shape[1] == 0:
            what = f"{metric} has the shape {scores.shape}, and there are {steps.size} time steps"
            raise InputError(str(path), what, "evaluations x episodes")
        episodes = np.full(steps.size, scores.shape[1], dtype=np.int64)
        yield Curve(place.name, path, "eval", metric, steps, scores.mean(axis=1), episodes)
