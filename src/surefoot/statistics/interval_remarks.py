"""Where intervals of metrics are outside of the range in which they hold their level, from the numbers of runs alone.

The failure rates behind these rules are those of `statistics.trust.metric_intervals`, the table "metric intervals" of
the page "How far can this be trusted?". Intervals read off the replicates (percentile, basic, bc, bca, normal) are too
narrow, since a resample of N runs of a task has (N - 1) / N of their variance, and since that is estimated. With ten
tasks, 95 % percentile intervals of the mean of normal scores miss the truth in about 20 % of the data sets of 2 runs
per task, 12 % of 3, 9 % of 5, 7 % of 10 and 5 % of 30, which the formula of `expected_coverage` gives to 2 percentage
points; skewed scores and rare failures are worse. Student's intervals miss it in 4 to 6 % there, but also need more
runs where scores are far from normal: in 10 to 17 % of data sets with fewer than 20 degrees of freedom.
"""

import numpy as np
from scipy.special import ndtri, stdtr

_VISIBLE = 0.02
"""By how much less than promised an interval has to hold for a remark."""
_FEWEST_DEGREES = 20
_FEWEST_FOR_A_MEDIAN = 10


def expected_coverage(sizes, confidence: float = 0.95) -> float:
    """How often an interval of normal scores holds that has the width of the replicates' distribution.

    It is the probability that Student's t with sum(N - 1) degrees of freedom stays within the normal quantile times
    sqrt((N - 1) / N): exact for the mean of tasks with equal variances.

    sizes : numbers of runs of the tasks, not all of them 1
    """
    sizes = np.asarray(sizes, np.float64)
    reach = ndtri((1.0 + confidence) / 2.0) * np.sqrt(np.mean((sizes - 1.0) / sizes))
    return float(2.0 * stdtr((sizes - 1.0).sum(), reach) - 1.0)


def metric_remark(method: str, metric_name: str, sizes, confidence: float = 0.95) -> str:
    """One sentence where an interval of resampled runs does not hold its level, else an empty text.

    Parameters
    ----------
    method : one of `interval_methods.METHODS`
    metric_name : of the metric, such as "median", without parameter
    sizes : numbers of runs of the tasks
    """
    sizes = np.asarray(sizes)
    fewest, degrees = int(sizes.min()), int((sizes - 1).sum())
    runs = f"with {fewest} run{'s' * (fewest > 1)} per task"
    if method != "student":
        coverage = expected_coverage(sizes, confidence)
        if coverage < confidence - _VISIBLE:
            return (
                f"{runs}, a {100 * confidence:g} % {method} interval holds the truth in about {100 * coverage:.0f} %; "
                "take the method student"
            )
        return ""
    if degrees < _FEWEST_DEGREES:
        return f"with {degrees} degrees of freedom, it holds its level only if scores are nearly normal"
    if metric_name == "median" and fewest < _FEWEST_FOR_A_MEDIAN:
        return f"{runs}, the median over tasks is biased if scores are skewed or some runs fail"
    return ""
