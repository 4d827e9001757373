"""Simulate trials of a cell by name: the front of the simulation room."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from surefoot.measured_seconds import seconds_of_trial
from surefoot.simulation import registry
from surefoot.simulation.cells import simulate_cell


def simulate(
    algorithm: str,
    environment: str,
    seed: int,
    first_trial: int,
    trials: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    own: Mapping[str, Any] = registry.NONE_OF_ITS_OWN,
) -> np.ndarray:
    """Performances of the trials first_trial..first_trial+trials-1 of an algorithm in an environment.

    Parameters
    ----------
    algorithm, environment : names in `registry.ALGORITHMS` and `registry.ENVIRONMENTS`, or among a user's own
    seed : the study's seed, a non-negative integer
    first_trial, trials : which trials; the result of a trial depends on its number, never on this cut
    threads : how many threads may work at the same time; without effect on the result
    progress : called now and then with the number of trials done so far
    own : algorithms and environments of a user's, see `registry`

    Returns
    -------
    float64[trials], the mean return over all episodes of each trial

    Raises
    ------
    KeyError for an unknown name, ValueError for a number out of range
    """
    settings, modules = registry.settings(algorithm, environment, own), registry.modules(algorithm, environment, own)
    seconds = seconds_of_trial(algorithm, environment)
    return simulate_cell(settings, modules, seed, first_trial, trials, threads, progress, seconds)
