"""Stable-Baselines3's logger: one row for each time it logs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics, kept_rows
from surefoot.logs.data_files import csv_header, read_csv
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "Stable-Baselines3's logger (progress.csv): running means of the last training episodes, and evaluations"
CONTAINS = ("tensorboard",)
BESIDE = ("stable_baselines3_monitor",)
_STEPS = "time/total_timesteps"
_RETURNS = {"eval": ("eval/mean_reward",), "train": ("rollout/ep_rew_mean",)}

LOGGED = {
    "rollout/ep_rew_mean": Logged("Stable-Baselines3", "running_mean", episodes=100),
    "eval/mean_reward": Logged("Stable-Baselines3", "mean", deterministic=True, episodes=5),
}
"""What the logger writes under the names of returns."""
_RUNNING = "rollout/ep_rew_mean is a running mean over the last episodes: points near each other are alike"


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a progress.csv that has the logger's column of steps."""
    return [
        Place(below(root, path.parent), (path,))
        for path in files
        if path.name == "progress.csv" and _STEPS in csv_header(path)
    ]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Running means of training over the `stats_window_size` last episodes, by default 100; means of evaluations over
    `n_eval_episodes`, by default 5 and of the deterministic policy."""
    return LOGGED.get(metric, Logged("Stable-Baselines3"))


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The columns that are asked for; a row has values of what was logged then."""
    (path,) = place.paths
    rows = read_csv(path, below(root, path), notes).dropna(subset=[_STEPS])
    rows = rows[kept_rows(rows[_STEPS].to_numpy(np.float64), below(root, path), notes)]
    numeric = [name for name in rows.columns if rows[name].dtype.kind in "fiu" and name != _STEPS]
    for metric, kind in chosen_metrics(numeric, asked, _RETURNS, notes):
        remark = _RUNNING if metric == _RETURNS["train"][0] else ""
        logged = rows[rows[metric].notna()]
        steps, scores = (logged[name].to_numpy(np.float64) for name in (_STEPS, metric))
        yield Curve(place.name, path, kind, metric, steps, scores, np.ones(steps.size, np.int64), remark=remark)
