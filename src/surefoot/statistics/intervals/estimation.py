"""estimate: intervals for scores or means, or bands for distributions, as tables.

A method is a function that `surefoot.statistics.intervals.catalogue` names and that is imported when it is asked for,
so that the code which decides one method's numbers does not include the others.
"""

import numpy as np
import pandas as pd

from surefoot.registry import function_named
from surefoot.statistics.arrays import Floats, rank_values
from surefoot.statistics.intervals.catalogue import ESTIMATORS, INTERVAL_METHODS, Options
from surefoot.statistics.runs.samples import Samples, samples_from_runs

VARIANTS = ("as_published", "corrected")
SCORE_METHODS = tuple(INTERVAL_METHODS)


def variants_of(method: str) -> tuple[str, ...]:
    """The variants that a method has: both where numbers were published, else only the corrected one."""
    return VARIANTS if INTERVAL_METHODS[method].as_published else VARIANTS[1:]


def estimate(
    runs: pd.DataFrame,
    method: str,
    confidence: float = 0.95,
    seed: int = 0,
    replicates: int = 10_000,
    variant: str = "corrected",
    threads: int = 1,
) -> pd.DataFrame:
    """Intervals for scores or means, or bands for distributions.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    method : one of SCORE_METHODS (aggregate scores), anderson (mean score in each environment), dkw (distributions)
    confidence : probability that all the intervals of the table hold at once
    seed : of what is drawn by bootstrap and of the tie breaks in the limits of scores
    replicates : of bootstrap
    variant : "as_published" or "corrected"; see payoff_limits, score_limits and bootstrap for what differs.
        Methods that were never published have only one.
    threads : how many may be used; the result does not depend on it

    Returns
    -------
    columns method, aggregate, algorithm, environment, value, low, high, standard_error (the standard deviation of the
    replicates of bootstrap; empty for others), rank, rank_low, rank_high, confidence, runs (the fewest of any algorithm
    in any environment), replicates (empty where there are none), and for aggregate scores ties (whether two runs in one
    environment have the same score); for dkw, columns method, algorithm, environment, probability, score, low, high

    Raises
    ------
    ValueError : see `samples_from_runs`; a game of one algorithm
    """
    options = Options(1.0 - confidence, seed, replicates, threads)
    samples = samples_from_runs(runs)
    if method not in INTERVAL_METHODS:
        table: pd.DataFrame = function_named(f"{ESTIMATORS[method]}:{method}")(samples, options)
        return table
    from surefoot.statistics.game.evaluation_game import play
    from surefoot.statistics.game.percentile import payoffs

    scores = play(payoffs(samples)).scores  # which refuses a single algorithm
    variant = variant if variant in variants_of(method) else VARIANTS[1]
    low, high, *error = limits_of_scores(samples, method, options, (variant,))[variant]
    table = interval_table(samples, method, "game_score", "", scores, low, high, 1.0 - options.delta)
    if INTERVAL_METHODS[method].resamples:
        table["replicates"] = pd.array([replicates] * len(table), "Int64")
    return table.assign(standard_error=error[0] if error else np.nan, ties=samples.tied())


def limits_of_scores(
    samples: Samples, method: str, options: Options, variants: tuple[str, ...]
) -> dict[str, tuple[Floats, ...]]:
    """Limits (low, high) of the aggregate scores, float64[n] each, by variant; of bootstrap, standard errors too.

    Parameters
    ----------
    method : one of SCORE_METHODS, of which some need two runs of each pair
    variants : some of `variants_of` the method
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
    confidence: float,
) -> pd.DataFrame:
    """A row an algorithm, with its value and limits, float64[n] each, the ranks that they allow and the fewest runs of
    a pair; the columns standard_error and replicates are left empty."""
    rank, rank_low, rank_high = ranks(values, low, high)
    table = pd.DataFrame({"method": method, "aggregate": aggregate, "algorithm": samples.algorithms})
    table = table.assign(environment=environment, value=values, low=low, high=high, standard_error=np.nan)
    table = table.assign(rank=rank, rank_low=rank_low, rank_high=rank_high, confidence=confidence)
    return table.assign(runs=int(samples.sizes.min()), replicates=pd.array([pd.NA] * len(table), "Int64"))


def ranks(values: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Ranks of algorithms with scores `values` and limits `low` and `high`, float64[n] each.

    An algorithm is surely better than another where its lower limit exceeds the other's upper limit, and may be as good
    where its upper limit reaches the other's lower one. (The published program wants it to exceed it, which makes no
    difference but between intervals of no width: there it would leave two equal algorithms no rank of their own.)

    Returns
    -------
    (rank, low, high) : int64[n] each, 1 is best: by value, where equal values share the better rank; pessimistic, every
        algorithm that may be better is; and optimistic, only those that must be better are
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    surely = low[:, None] > high[None, :]
    maybe = high[:, None] >= low[None, :]
    n = low.size
    return rank_values(values), n - surely.sum(axis=1), n + 1 - maybe.sum(axis=1)
