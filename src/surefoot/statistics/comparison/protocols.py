"""What reporting a maximum does (Agarwal et al. 2021, Figure 5): the best of several settings, each a mean of runs."""

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.streams import stream_key


def best_setting_means(
    scores: Floats, settings: int = 8, runs: int = 3, replicates: int = 20_000, seed: int = 0
) -> Floats:
    """Mean scores of each task where the best of several settings is reported, though the settings do nothing.

    Parameters
    ----------
    scores : float64[runs, tasks] of one algorithm
    settings, runs : how many settings are tried, and how many whole runs, drawn with replacement, each is tried with

    Returns
    -------
    float64[replicates, tasks]
    """
    scores = np.asarray(scores, np.float64)
    if min(settings, runs, replicates) < 1:
        raise HintedError("protocol", f"{settings} settings, {runs} runs, {replicates} replicates", "at least 1 each")
    indices = np.empty(settings * runs + SPARE, np.uint32)
    key, found = stream_key(seed, "best_setting", settings, runs), np.empty((replicates, scores.shape[1]))
    for replicate in range(replicates):
        draw_indices(key, replicate, len(scores), settings * runs, indices)
        drawn = scores[indices[: settings * runs]].reshape(settings, runs, -1)
        found[replicate] = drawn.mean(axis=1).max(axis=0)
    return found
