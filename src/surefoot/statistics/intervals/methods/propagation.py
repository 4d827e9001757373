"""Limits of the payoffs propagated through the game to limits of the scores."""

import numpy as np

from surefoot.statistics.game.score_limits import score_limits
from surefoot.streams import stream_key


def propagate(low: np.ndarray, high: np.ndarray, method: str, options, variant: str) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the scores, float64[n] each, that limits of the payoffs, float64[n, m, n], allow."""
    key = stream_key(options.seed, "score_limits", method)
    return score_limits(low, high, variant, key, options.threads, options.progress)
