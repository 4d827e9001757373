"""Tables of intervals for aggregate scores and means, and of bands for distributions.

The functions named in `interval_catalogue` are imported only when needed, so that results of one method do not depend
on the code of the others.
"""

import numpy as np
import pandas as pd

from surefoot.registry import function_named
from surefoot.statistics.arrays import Floats, rank_values
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS, INTERVAL_METHODS, Options
from surefoot.statistics.runs.samples import Samples, samples_from_runs

VARIANTS = ("as_published", "corrected")
SCORE_METHODS = tuple(INTERVAL_METHODS)


def variants_of(method: str) -> tuple[str, ...]:
    """Return the variants of a method: "as_published" only if the method was published, and "corrected"."""
    return VARIANTS if INTERVAL_METHODS[method].as_published else VARIANTS[1:]


def estimate(
    runs: pd.DataFrame,
    method: str,
    confidence_level: float = 0.95,
    seed: int = 0,
    n_resamples: int = 10_000,
    variant: str = "corrected",
    threads: int = 1,
) -> pd.DataFrame:
    """Compute a table of intervals for aggregate scores or means, or of bands for distributions.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    method : one of SCORE_METHODS (aggregate scores), "anderson" (mean score in each environment), or "dkw"
        (distributions)
    confidence_level : probability that all intervals of the table hold at once
    seed : seed of the bootstrap, and of the tie breaks in `score_limits`
    n_resamples : number of bootstrap resamples
    variant : "as_published" or "corrected"; see payoff_limits, score_limits and bootstrap for the differences. Methods
        that were not published have only the corrected variant
    threads : number of threads; the result does not depend on it

    Returns
    -------
    columns method, aggregate, algorithm, environment, estimate, low, high, standard_error (of the bootstrap, else
    empty), rank, rank_low, rank_high, confidence_level, runs (smallest number of any algorithm in any environment),
    n_resamples (of the bootstrap, else empty), and for aggregate scores ties (True if two runs in one environment have
    the same score). For "dkw", columns method, algorithm, environment, probability, score, low, high

    Raises
    ------
    ValueError : see `samples_from_runs`; or if there is only one algorithm
    """
    options = Options(1.0 - confidence_level, seed, n_resamples, threads)
    samples = samples_from_runs(runs)
    if method not in INTERVAL_METHODS:
        table: pd.DataFrame = function_named(f"{ESTIMATORS[method]}:{method}")(samples, options)
        return table
    from surefoot.statistics.game.evaluation_game import nearly_equal, play
    from surefoot.statistics.game.percentile import payoffs

    scores = play(payoffs(samples)).scores  # raises an error for a single algorithm
    variant = variant if variant in variants_of(method) else VARIANTS[1]
    low, high, *error = limits_of_scores(samples, method, options, (variant,))[variant]
    # A limit that should equal the score may differ from it by rounding.
    low, high = (np.where(nearly_equal(limit, scores), scores, limit) for limit in (low, high))
    table = interval_table(samples, method, "game_score", "", scores, low, high, 1.0 - options.delta)
    if INTERVAL_METHODS[method].resamples:
        table["n_resamples"] = pd.array([n_resamples] * len(table), "Int64")
    return table.assign(standard_error=error[0] if error else np.nan, ties=samples.tied())


def limits_of_scores(
    samples: Samples, method: str, options: Options, variants: tuple[str, ...]
) -> dict[str, tuple[Floats, ...]]:
    """Return limits (low, high) of the aggregate scores, float64[n] each, by variant; "bootstrap" adds standard errors.

    Parameters
    ----------
    method : one of SCORE_METHODS; some need two runs of each algorithm in each environment
    variants : some of `variants_of(method)`
    """
    from surefoot.statistics.game.score_limits import score_limits
    from surefoot.streams import stream_key

    about = INTERVAL_METHODS[method]
    limits = function_named(about.function)
    if about.of_scores:
        return limits(samples, options, variants)
    key = stream_key(options.seed, "score_limits", method)
    of_payoffs = {variant: limits(samples, options, variant) for variant in variants}
    return {name: score_limits(low, high, name, key, options.threads) for name, (low, high) in of_payoffs.items()}


def interval_table(
    samples: Samples,
    method: str,
    aggregate: str,
    environment: str,
    values: Floats,
    low: Floats,
    high: Floats,
    confidence_level: float,
) -> pd.DataFrame:
    """Return a table with the value, the limits and the possible ranks of each algorithm; see `estimate`.

    values, low, high : float64[n]
    """
    rank, rank_low, rank_high = ranks(values, low, high)
    table = pd.DataFrame({"method": method, "aggregate": aggregate, "algorithm": samples.algorithms})
    table = table.assign(environment=environment, estimate=values, low=low, high=high, standard_error=np.nan)
    table = table.assign(rank=rank, rank_low=rank_low, rank_high=rank_high, confidence_level=confidence_level)
    return table.assign(runs=int(samples.sizes.min()), n_resamples=pd.array([pd.NA] * len(table), "Int64"))


def ranks(values: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the ranks of algorithms with scores `values` and limits `low` and `high`, float64[n] each.

    An algorithm is certainly better than another if its lower limit exceeds the other's upper limit, and may be as good
    if its upper limit is at least the other's lower limit. (The published program requires a strictly greater limit.
    This only matters for intervals of zero width, where two equal algorithms would get no rank.)

    Returns
    -------
    rank : int64[n], rank by value; 1 is best, and ties share the better rank
    rank_low : int64[n], pessimistic rank, if every algorithm that may be as good is better
    rank_high : int64[n], optimistic rank, if only the certainly better algorithms are better
    """
    low = np.asarray(low, np.float64)
    high = np.asarray(high, np.float64)
    surely = low[:, None] > high[None, :]
    maybe = high[:, None] >= low[None, :]
    n = low.size
    return rank_values(values), n - surely.sum(axis=1), n + 1 - maybe.sum(axis=1)
