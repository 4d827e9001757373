"""Dopamine: pickles ``logs/log_<iteration>``, of which the newest holds all iterations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from surefoot.build.errors import InputError
from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics
from surefoot.logs.data_files import GOING_ON
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged
from surefoot.pickled_arrays import read_pickled_mapping

DESCRIPTION = "Dopamine's logs (logs/log_<iteration>): returns of the episodes of each iteration"
CONTAINS = ("tensorboard", "rliable")
_LOG = re.compile(r"log_(\d+)")
_ITERATION = re.compile(r"iteration_(\d+)")
_RETURNS = {"eval": ("eval_episode_returns",), "train": ("train_episode_returns",)}
STEPS_OF_ITERATION = 250_000
"""Agent steps of training in an iteration, as Dopamine's configurations of Atari have it."""


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a folder `logs` of such files; newest first."""
    found: dict[Path, list[Path]] = {}
    for path in files:
        if _LOG.fullmatch(path.name):
            folder = path.parent.parent if path.parent.name == "logs" and path.parent != root else path.parent
            found.setdefault(folder, []).append(path)
    return [
        Place(below(root, folder), tuple(sorted(paths, key=_iteration, reverse=True)))
        for folder, paths in found.items()
    ]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """The episodes of an iteration; evaluation explores with a probability of 0.001 by default, so its policy is not
    deterministic."""
    return Logged("Dopamine", "mean", deterministic=False if kind == "eval" else None, counted=True)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The mean over the episodes of each iteration, from the newest file that is whole."""
    iterations, path = _newest(place, root, notes)
    numbered = sorted((int(match[1]), logged) for key, logged in iterations if (match := _ITERATION.fullmatch(key)))
    available = dict.fromkeys(name for _, logged in numbered for name in logged)
    for metric, kind in chosen_metrics(available, asked, _RETURNS, notes):
        rows = [(number, np.asarray(logged[metric], np.float64)) for number, logged in numbered if logged.get(metric)]
        yield Curve(
            place.name,
            path,
            kind,
            metric,
            np.array([(number + 1) * STEPS_OF_ITERATION for number, _ in rows], np.float64),
            np.array([returns.mean() for _, returns in rows]),
            np.array([returns.size for _, returns in rows], np.int64),
            remark=f"an iteration is counted as {STEPS_OF_ITERATION:,} agent steps, as Dopamine's Atari agents have it",
        )


def _newest(place: Place, root: Path, notes: Notes) -> tuple[list[tuple[str, Mapping[str, list[float]]]], Path]:
    """(iterations by name, the file) of the newest file that is whole."""
    *newer, oldest = place.paths
    for path in newer:
        try:
            return list(read_pickled_mapping(path).items()), path
        except InputError as error:
            notes.remark(f"{below(root, path)}: {error.what}, {GOING_ON}; the file before it is read")
    return list(read_pickled_mapping(oldest).items()), oldest


def _iteration(path: Path) -> int:
    match = _LOG.fullmatch(path.name)
    return int(match[1]) if match else -1
