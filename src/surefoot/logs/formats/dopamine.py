"""Dopamine: pickles ``logs/log_<iteration>``, of which the newest holds all iterations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from surefoot.build.errors import InputError
from surefoot.columns import score_array
from surefoot.logs.curves import Curve, Place, Reading, chosen_metrics
from surefoot.logs.files import GOING_ON
from surefoot.logs.run_formats import Logged, run_format
from surefoot.pickled_arrays import read_pickled_mapping

_LOG = re.compile(r"log_(\d+)")
_ITERATION = re.compile(r"iteration_(\d+)")
_RETURNS = {"eval": ("eval_episode_returns",), "train": ("train_episode_returns",)}
STEPS_OF_ITERATION = 250_000
"""Agent steps of training in an iteration, as Dopamine's configurations of Atari have it."""


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a folder `logs` of such files."""
    return reading.places([path for path in files if _LOG.fullmatch(path.name)], above="logs")


def _logged(kind: str, metric: str, environment: str) -> Logged:
    """The episodes of an iteration; evaluation explores with a probability of 0.001 by default, so its policy is not
    deterministic."""
    return Logged("Dopamine", "mean", deterministic=False if kind == "eval" else None, counted=True)


@run_format(
    "dopamine",
    "Dopamine's logs (logs/log_<iteration>): returns of the episodes of each iteration",
    _recognize,
    contains=("tensorboard", "rliable"),
    logged=_logged,
)
def read_dopamine(place: Place, reading: Reading) -> Iterator[Curve]:
    """The mean over the episodes of each iteration, from the newest file that is whole."""
    iterations, path = _newest(place, reading)
    numbered = sorted((int(match[1]), logged) for key, logged in iterations if (match := _ITERATION.fullmatch(key)))
    available = dict.fromkeys(name for _, logged in numbered for name in logged)
    for metric, kind in chosen_metrics(available, reading, _RETURNS):
        rows = [
            (number, score_array(str(path), metric, logged[metric]))
            for number, logged in numbered
            if logged.get(metric)
        ]
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


def _newest(place: Place, reading: Reading) -> tuple[list[tuple[str, Mapping[str, list[float]]]], Path]:
    """(iterations by name, the file) of the newest file that is whole."""
    *newer, oldest = sorted(place.paths, key=lambda path: int(path.name.rpartition("_")[2]), reverse=True)
    for path in newer:
        try:
            return list(read_pickled_mapping(path).items()), path
        except InputError as error:
            reading.remark(f"{reading.below(path)}: {error.what}, {GOING_ON}; the file before it is read")
    return list(read_pickled_mapping(oldest).items()), oldest
