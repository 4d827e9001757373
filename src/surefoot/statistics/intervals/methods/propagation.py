"""Limits of the payoffs propagated through the game to limits of the scores."""

from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.score_limits import score_limits
from surefoot.statistics.intervals.estimation import Options
from surefoot.streams import stream_key


def propagate(low: Floats, high: Floats, method: str, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the scores, float64[n] each, that limits of the payoffs, float64[n, m, n], allow."""
    key = stream_key(options.seed, "score_limits", method)
    return score_limits(low, high, variant, key, options.threads, options.progress)
