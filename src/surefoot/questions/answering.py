"""What the answers of questions of sets of scores are given beside their own settings."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.questions.settings import Grid
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of, tasks_of

Tables = Mapping[str, pd.DataFrame]
"""Run tables by the names that a question knows them by."""

Sets = Mapping[str, pd.DataFrame]
"""Tables of normalized scores by name, with columns algorithm, environment, run, score."""


class Shared(NamedTuple):
    """What the questions of a study have in common: its seed, the level of its intervals, the number of replicates
    (those of the question, where it states its own), and how many threads may be used, which changes no number."""

    seed: int
    confidence: float
    replicates: int
    threads: int = 1


def grid(thresholds: Grid) -> np.ndarray:
    """The points of a grid, float64[count], without rounding noise such as 0.30000000000000004."""
    return np.round(unrounded_grid(thresholds), 12)


def unrounded_grid(thresholds: Grid) -> np.ndarray:
    """The points of a grid as numpy places them."""
    return np.linspace(thresholds.first, thresholds.last, thresholds.count)


def population(sets: Sets, algorithms: Sequence[str] | None) -> tuple[np.ndarray, list[str]]:
    """(scores float64[runs, tasks], tasks) of the one algorithm that is asked for."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, algorithms)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)
