"""Trials of a cell, which is given as plain data, on several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np

from surefoot.errors import HintedError
from surefoot.simulation.protocol import prepare

SECONDS_PER_CHUNK = 0.05
"""Work handed to a thread at a time: far above the cost of handing it over, well below a user's patience."""


def simulate_cell(
    settings: dict[str, Any],
    modules: tuple[str, ...],
    seed: int,
    first_trial: int,
    trials: int,
    threads: int,
    progress: Callable[[int], None] | None,
    seconds_per_trial: float,
) -> np.ndarray:
    """Performances of the trials first_trial..first_trial+trials-1 of a cell.

    Parameters
    ----------
    settings, modules : the cell, from `registry.settings` and `registry.modules`
    seed : the study's seed, a non-negative integer
    first_trial, trials : which trials; the result of a trial depends on its number, never on this cut
    threads : how many threads may work at the same time; without effect on the result
    progress : called now and then with the number of trials done so far
    seconds_per_trial : about how long a trial takes; without effect on the result

    Returns
    -------
    float64[trials], the mean return over all episodes of each trial

    Raises
    ------
    ValueError for a number out of range
    """
    if first_trial < 0 or trials < 1 or threads < 1:
        what = f"first trial {first_trial}, {trials} trials, {threads} threads"
        raise HintedError("trials", what, "the first is 0 or more, and there is at least one of the others")
    fill = prepare(settings, modules, seed)
    performances = np.empty(trials)
    chunk = max(1, int(SECONDS_PER_CHUNK / seconds_per_trial))
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
