"""Simulate trials of a cell by name, on several threads: the front of the simulation room."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from surefoot.simulation import registry
from surefoot.simulation.protocol import prepare

SECONDS_PER_CHUNK = 0.05
"""Work handed to a thread at a time: far above the cost of handing it over, well below a user's patience."""


def simulate(
    algorithm: str,
    environment: str,
    seed: int,
    first_trial: int,
    trials: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    own: Mapping = registry.NONE_OF_ITS_OWN,
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
    if first_trial < 0 or trials < 1 or threads < 1:
        raise ValueError(
            f"first_trial {first_trial}, trials {trials}, threads {threads}: the first must not be negative, "
            "the others must be positive."
        )
    modules = registry.modules(algorithm, environment, own)
    fill = prepare(registry.settings(algorithm, environment, own), modules, seed)
    performances = np.empty(trials)
    chunk = max(1, int(SECONDS_PER_CHUNK / registry.cost(algorithm, environment)))
    done = 0
    pool = ThreadPoolExecutor(threads)
    try:
        parts = [performances[start : start + chunk] for start in range(0, trials, chunk)]
        futures = {pool.submit(fill, part, first_trial + chunk * i): len(part) for i, part in enumerate(parts)}
        for future in as_completed(futures):
            future.result()
            done += futures[future]
            if progress is not None:
                progress(done)
    finally:
        # After an interruption or error, what has not begun must not keep the process alive.
        pool.shutdown(cancel_futures=True)
    return performances
