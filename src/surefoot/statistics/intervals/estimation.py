"""estimate: intervals for scores or means, or bands for distributions, as tables.

A method is a module of its own, named in `surefoot.statistics.intervals.catalogue` and imported when it is asked for,
so that the code which decides one method's numbers does not include the others.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.choices import check_choice
from surefoot.statistics.intervals.catalogue import ESTIMATORS, INTERVAL_METHODS
from surefoot.statistics.runs.samples import samples_from_runs

VARIANTS = ("as_published", "corrected")
SCORE_METHODS = tuple(INTERVAL_METHODS)


def variants_of(method: str) -> tuple[str, ...]:
    """The variants that a method has: both where numbers were published, else only the corrected one."""
    return VARIANTS if INTERVAL_METHODS[method].as_published else VARIANTS[1:]


class Options(NamedTuple):
    """What a method may need beside the samples; see `estimate`.

    The module of a method that limits the aggregate scores also has `limits(samples, method, options, variants)`:
    limits (low, high), float64[n] each, by variant.
    """

    delta: float
    seed: int
    replicates: int | None
    variant: str
    threads: int
    points: int
    progress: Callable[[int], None] | None
    bounds: Mapping[str, tuple[float, float]] | None = None


def estimate(
    runs: pd.DataFrame,
    method: str,
    confidence: float = 0.95,
    seed: int = 0,
    replicates: int | None = 10_000,
    variant: str = "corrected",
    threads: int = 1,
    points: int = 100,
    progress: Callable[[int], None] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> pd.DataFrame:
    """Intervals for scores or means, or bands for distributions.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    method : one of SCORE_METHODS (aggregate scores), anderson (mean score in each environment), dkw (distributions)
    confidence : probability that all the intervals of the table hold at once
    seed : of what is drawn by bootstrap and pbp_max_t and of the tie breaks in the limits of scores
    replicates : of bootstrap and pbp_max_t
    variant : "as_published" or "corrected"; see payoff_limits, t_limits, score_limits and bootstrap for what differs.
        Methods that were never published have only one.
    threads : how many may be used; the result does not depend on it
    points : greatest number of points of a curve of dkw
    progress : called now and then with the number of parts done: replicates, or limits of scores
    bounds : for pbp_known_bounds, the (low, high) that scores cannot leave, by environment

    Returns
    -------
    columns method, aggregate, algorithm, environment, value, low, high, standard_error (the standard deviation of the
    replicates of bootstrap; empty for others), rank, rank_low, rank_high, confidence, runs (the fewest of any algorithm
    in any environment), replicates (empty where there are none), and for aggregate scores ties (whether two runs in one
    environment have the same score); for dkw, columns method, algorithm, environment, probability, score, low, high

    Raises
    ------
    ValueError : see `samples_from_runs`; an unknown method or variant; a confidence outside (0, 1); what a method
        cannot do, such as a game of one algorithm or the standard deviation of one run
    """
    check_choice("estimate", method, tuple(ESTIMATORS))
    check_choice("estimate", variant, VARIANTS)
    if not 0.0 < confidence < 1.0:
        raise HintedError("estimate", f"a confidence of {confidence} is not between 0 and 1", "0.95 is usual")
    options = Options(1.0 - confidence, seed, replicates, variant, threads, points, progress, bounds)
    return import_module(ESTIMATORS[method]).estimate(samples_from_runs(runs), method, options)


def replicates_of(options: Options, method: str) -> int:
    """The number of replicates, for a method that draws them.

    Raises
    ------
    ValueError : none is given
    """
    if options.replicates is None:
        raise HintedError(method, "no number of replicates", "`replicates` is at least 1; 10000 is usual")
    return options.replicates
