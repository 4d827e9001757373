"""Simultaneous intervals of the differences between several algorithms in one metric, and lifts of two.

Whether two intervals overlap is no test of their difference: two 95 % intervals that just touch belong to a difference
that is far beyond the 5 % level (Schenker and Gentleman, The American Statistician 55, 2001). The interval of the
difference x - y is (value of x) - (value of y) -+ q s, with

s : sqrt(s_x^2 + s_y^2), the standard errors of both, which are independent where runs are
q : the quantile of Student's distribution at 1 - level, with the degrees of freedom of s^2 = s_x^2 + s_y^2:
    (s_x^2 + s_y^2)^2 / (s_x^4 / (n_x + 2) + s_y^4 / (n_y + 2)) - 2 for those of both, n_x and n_y (Welch, Biometrika
    34, 1947, as in `jackknife.standard_errors`), and at least the smaller of the two

The level at which the intervals of several pairs hold together is that of `multiple_comparisons.joint_level`. Dividing
it by the number of pairs (Bonferroni) promises too much with few runs of many algorithms, which have few degrees of
freedom: some of 55 intervals of two runs each missed in up to 22 % of simulated data sets.

Where s is 0, see `limits_without_spread`.

Replicates of two algorithms that were resampled independently may be combined one by one, whatever the metric: so any
pair, difference or lift costs nothing more (Agarwal et al. 2021, section 3 and appendix A.2). Where runs are paired,
such as by a common seed, resampling the pairs keeps what they share out of the difference.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.intervals.rate_limits import RateLimits, rate_limits
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.score_pool import Scores, task_columns


class PairwiseDifferences(NamedTuple):
    """Differences of all pairs, one entry each: pair p is of the algorithms x[p] < y[p].

    value, standard_error, low, high : float64[pairs], in units of the metric
    degrees : float64[pairs], of freedom of the standard error
    """

    x: Integers
    y: Integers
    value: Floats
    standard_error: Floats
    degrees: Floats
    low: Floats
    high: Floats


def pairwise_differences(
    values: npt.ArrayLike, standard_errors: npt.ArrayLike, degrees: npt.ArrayLike, level: float
) -> PairwiseDifferences:
    """Differences between all pairs of algorithms, x - y, with Student's intervals.

    Parameters
    ----------
    values : float64[algorithms], of the metric
    standard_errors : float64[algorithms], of the values
    degrees : float64[algorithms], of freedom of the standard errors
    level : the probability beyond either limit of an interval
    """
    values, errors, freedom = (np.asarray(one, np.float64) for one in (values, standard_errors, degrees))
    pairs = np.array(list(combinations(range(values.size), 2)), np.int64).reshape(-1, 2)
    x, y = pairs.T
    error, together = difference_errors(errors[x], errors[y], freedom[x], freedom[y])
    reach = -stdtrit(together, level)
    value = values[x] - values[y]
    return PairwiseDifferences(x, y, value, error, together, value - reach * error, value + reach * error)


def limits_without_spread(
    metric: str, x: Sequence[Floats], y: Sequence[Floats], confidence: float, whole_runs: bool = False
) -> tuple[float, float]:
    """Limits of the difference x - y where no run differs from another of its task, so that there is no standard error.

    Scores of 0 and 1 are successes, and each side has the limits of its success rate at half of the probability to
    miss, `rate_limits` of all runs: successes of tasks with unlike rates are less variable than of one with their mean
    (Hoeffding, Annals of Mathematical Statistics 27, 1956). Where tasks share runs, it has those of the runs' rates.
    Nothing bounds other scores, or other metrics than these functions of the rate. Where all rates within the limits
    have the same IQM, the limits are of the rates themselves, which are wider: an interval of no width would look like
    certainty of more than it is about.

    Parameters
    ----------
    metric : its name, with its parameter if it has one
    x, y : scores, float64[runs] of each task
    confidence : of the interval of this difference
    whole_runs : whether tasks share runs

    Returns
    -------
    (low, high); NaN where there are no limits
    """
    sides = []
    for tasks in (x, y):
        outcomes = np.array([scores[0] for scores in tasks])
        unlike = any(np.ptp(scores) > 0.0 for scores in tasks) or not np.isin(outcomes, (0.0, 1.0)).all()
        if unlike or metric not in _OF_RATES or (metric == "median" and len(tasks) > 1):
            return np.nan, np.nan
        fewest = min(len(scores) for scores in tasks)
        rates = np.full(fewest, outcomes.mean()) if whole_runs else np.repeat(outcomes, fewest)
        sides.append(rate_limits(rates, np.ones(rates.size), (1.0 + confidence) / 2.0))
    of_x, of_y = sides
    low, high = _difference_of_rates(of_x, of_y, _OF_RATES[metric])
    return (low, high) if low < high else _difference_of_rates(of_x, of_y, _OF_RATES["mean"])


def _difference_of_rates(x: RateLimits, y: RateLimits, of_rate: Callable[[float], float]) -> tuple[float, float]:
    """Limits of the difference x - y of a monotone function of two success rates."""
    low_x, high_x = sorted((of_rate(x.low), of_rate(x.high)))
    low_y, high_y = sorted((of_rate(y.low), of_rate(y.high)))
    return low_x - high_y, high_x - low_y


_OF_RATES: Mapping[str, Callable[[float], float]] = {
    "mean": lambda rate: rate,
    "median": lambda rate: rate,
    "iqm": lambda rate: min(max(2.0 * rate - 0.5, 0.0), 1.0),
    "optimality_gap": lambda rate: 1.0 - rate,
}
"""Metrics of scores of 0 and 1 by the share of 1."""


def difference_errors(error_x: Floats, error_y: Floats, degrees_x: Floats, degrees_y: Floats) -> tuple[Floats, Floats]:
    """(standard errors, degrees of freedom) of differences, arrays of the shape of those of both sides."""
    # Squares of very small errors leave the range of a double, and only their ratio counts.
    greatest = np.maximum(np.maximum(error_x, error_y), np.finfo(np.float64).tiny)
    parts_x, parts_y = (error_x / greatest) ** 2, (error_y / greatest) ** 2
    fewest = np.minimum(degrees_x, degrees_y)
    weighted = parts_x**2 / (degrees_x + 2.0) + parts_y**2 / (degrees_y + 2.0)
    known = np.where(weighted > 0.0, (parts_x + parts_y) ** 2 / np.where(weighted > 0.0, weighted, 1.0) - 2.0, fewest)
    return np.sqrt(parts_x + parts_y) * greatest, np.maximum(known, fewest)


def lift_percent(x: Any, y: Any) -> Any:
    """By how many percent x is above y: 100 (x / y - 1), of values or of replicates.

    Raises
    ------
    ValueError : y is not positive, and then a ratio says nothing
    """
    y = np.asarray(y)
    if not (y > 0).all():
        where = " in some resample" if y.size > 1 else ""
        raise HintedError(
            "lift",
            f"the lower of the two is {float(y.min()):.4g}{where}",
            "a lift needs positive values; take the difference",
        )
    return 100.0 * (np.asarray(x) / y - 1.0)


def raised(scores: Scores, lift: float) -> list[Floats]:
    """The scores of each task, float64[runs] each, raised by `lift` percent."""
    return [column * (1 + lift / 100) for column in task_columns(scores)]


def check_raised(scores: Scores, metrics: Sequence[str | Metric], lifts: Sequence[float]) -> None:
    """Whether raised scores are better: a lift multiplies, and takes negative scores further down.

    Parameters
    ----------
    scores : as in `replicate_metrics`
    lifts : in percent

    Raises
    ------
    ValueError : a metric becomes worse
    """
    lift = max(map(abs, lifts))
    named = [metric(one) for one in metrics]
    before, after = (metric_values(table, named) for table in (task_columns(scores), raised(scores, lift)))
    for name, old, new in zip(named, before, after, strict=True):
        if (new > old) if name.entry.lower_is_better else (new < old):
            raise HintedError(
                "lift",
                f"scores raised by {lift:g} % take {name} from {old:.4g} to {new:.4g}, which is worse",
                "a lift multiplies and needs positive scores: normalize them, such as by min_max or reference scores",
            )


def replicate_paired(
    x: Scores,
    y: Scores,
    metrics: Sequence[str | Metric],
    replicates: int = 50_000,
    seed: int = 0,
    tasks: Sequence[Any] | None = None,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """Metrics of both, float64[replicates, metrics] each, of the same runs: in a task, run n of x and of y are a pair.

    Parameters and errors are those of `replicate_metrics`.
    """
    drawn_x, drawn_y = (
        replicate_metrics(
            scores, metrics, replicates, seed, name="", tasks=tasks, resampled="paired_runs", threads=threads
        )
        for scores in (x, y)
    )
    return drawn_x, drawn_y
