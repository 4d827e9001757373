"""What the answers of questions of sets of scores are given beside their own settings."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.types import Grid, Thresholds
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of, tasks_of
from surefoot.statistics.ties import RELATIVE

Sets = Mapping[str, pd.DataFrame]
"""Tables of normalized scores by name, with columns algorithm, environment, run, score."""


def grid(thresholds: Thresholds) -> Floats:
    """The points of a grid, float64[count], without rounding noise such as 0.30000000000000004; points as they are."""
    points = unrounded_grid(thresholds)
    return np.round(points, 12) if isinstance(thresholds, Grid) else points


def unrounded_grid(thresholds: Thresholds) -> Floats:
    """The points of a grid as numpy places them."""
    if not isinstance(thresholds, Grid):
        return np.array(thresholds, np.float64)
    return np.linspace(thresholds.first, thresholds.last, thresholds.count)


def tie_decimals(decimals: int | None) -> int | str:
    """Which scores are ties, as `ties.score_places` takes it, of the setting `decimals`."""
    return RELATIVE if decimals is None else decimals


def refuse_single_runs(algorithm: str, runs: Sequence[int]) -> None:
    """Raise a ValueError where an algorithm has one run of each task: its resamples would all be the same.

    runs : how many there are of each task
    """
    if max(runs) == 1:
        raise HintedError(
            "scores",
            f"{algorithm} has one run of each of {len(runs)} tasks, which cannot be resampled",
            "add runs (in an array, those of a single task are a column, scores[:, None]); or resampled: "
            "tasks_and_runs, if the tasks are a sample of tasks",
        )


def population(sets: Sets, algorithms: Sequence[str] | None) -> tuple[Floats, list[str]]:
    """(scores float64[runs, tasks], tasks) of the one algorithm that is asked for."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, algorithms)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)
