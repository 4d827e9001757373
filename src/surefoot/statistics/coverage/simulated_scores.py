"""Scores of simulated runs whose law is known, with or without an effect that a run has on all of its tasks.

Standard normal numbers z of runs and tasks, of which two tasks of a run correlate by `correlation`, become scores:

normal : 1 + z / 2
skewed : exp((3 z - 1/2) / 4), a log-normal law
two_point : 1/2 where z < 0, else 3/2, as of tasks that are solved or not
rare_failure : 0 for the lowest 5 %, the others normal with mean 1 and standard deviation 0.2
"""

import numpy as np
from scipy.special import ndtr, ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.choices import check_choice
from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.streams import stream_key

LAWS = ("normal", "skewed", "two_point", "rare_failure")
_FAILED = 0.05
_STEPS = 2**31


def scores_of_law(law: str, z: Floats) -> Floats:
    """Scores of standard normal numbers, of their shape, which they rise with.

    Raises
    ------
    ValueError : an unknown law
    """
    check_choice("simulated scores", law, LAWS)
    z = np.asarray(z, np.float64)
    if law == "normal":
        return 1.0 + 0.5 * z
    if law == "skewed":
        return np.exp(0.75 * z - 0.125)
    if law == "two_point":
        return np.where(z < 0.0, 0.5, 1.5)
    place = ndtr(z)
    return np.where(place < _FAILED, 0.0, 1.0 + 0.2 * ndtri(np.maximum(place - _FAILED, 1e-12) / (1.0 - _FAILED)))


def simulated_scores(law: str, runs: int, tasks: int, correlation: float, seed: int, name: str, number: int) -> Floats:
    """Scores of one algorithm, float64[runs, tasks].

    Parameters
    ----------
    law : one of `LAWS`
    correlation : of z in two tasks of a run, from 0 (independent) to 1
    seed, name, number : of the stream; the number is that of the data set
    """
    key, size = stream_key(seed, "simulated_scores", name), runs * (tasks + 1)
    drawn = np.empty(size + SPARE, np.uint32)
    draw_indices(key, number, _STEPS, size, drawn)
    z = ndtri((drawn[:size] + 0.5) / _STEPS).reshape(runs, tasks + 1)
    return scores_of_law(law, np.sqrt(correlation) * z[:, :1] + np.sqrt(1.0 - correlation) * z[:, 1:])


def population(law: str, size: int = 4000) -> Floats:
    """The law as `size` equally probable scores, ascending: float64[size]."""
    return scores_of_law(law, ndtri((np.arange(size) + 0.5) / size))
