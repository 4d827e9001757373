"""Where intervals of metrics are outside of the range in which they hold their level, from runs alone.

The failure rates behind these rules are those of `statistics.trust.metric_intervals`, the table "metric intervals" of
the page "How far can this be trusted?". Intervals read off the replicates (percentile, basic, bc, bca, normal) are too
narrow, since a resample of N runs of a task has (N - 1) / N of their variance, and since that is estimated. With ten
tasks, 95 % percentile intervals of the mean of normal scores miss the truth in about 20 % of the data sets of 2 runs
per task, 12 % of 3, 9 % of 5, 7 % of 10 and 5 % of 30, which the formula of `expected_coverage` gives to 3 percentage
points; skewed scores and rare failures are worse. Student's intervals miss it in 3 to 8 % there, and the IQM, which
leaves out the tails, in 2 to 8 % of all cases. Those of other metrics need more runs where scores are far from normal:
with up to 20 degrees of freedom they miss the mean of skewed scores in 7 to 14 %, and with a single task of which one
run in ten fails in 17 to 33 %, since no observed run may have failed. What counts are Welch's degrees of freedom: where
a single skewed task has nearly all of the variance, Student's interval of the mean misses in 14 % of the data sets of 5
runs of each of ten tasks and in 9 % of 10 runs. The median is biased on skewed tasks: 11 % of the intervals miss it
with 10 runs of each.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri, stdtr

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers

_VISIBLE = 0.02
"""By how much less than promised an interval has to hold for a remark."""
_FEWEST_DEGREES = 30
_FEWEST_FOR_A_MEDIAN = 20


def expected_coverage(sizes: Integers | Sequence[int], confidence: float = 0.95) -> float:
    """How often an interval of normal scores holds that has the width of the replicates' distribution.

    It is the probability that Student's t with sum(N - 1) degrees of freedom stays within the normal quantile times
    sqrt((N - 1) / N): exact for the mean of tasks with equal variances.

    sizes : numbers of runs of the tasks, not all of them 1
    """
    sizes = np.asarray(sizes, np.float64)
    reach = ndtri((1.0 + confidence) / 2.0) * np.sqrt(np.mean((sizes - 1.0) / sizes))
    return float(2.0 * stdtr((sizes - 1.0).sum(), reach) - 1.0)


def metric_remark(
    method: str,
    metric_name: str,
    sizes: Integers | Sequence[int],
    confidence: float = 0.95,
    degrees: float | None = None,
) -> str:
    """A text where an interval of resampled runs does not hold its level, else an empty one.

    Failures that are too rare for these runs to show are beyond any interval, and so beyond this remark.

    Parameters
    ----------
    method : one of `replicate_intervals.METHODS`
    metric_name : of the metric, such as "median", without parameter
    sizes : numbers of runs of the tasks
    degrees : of freedom of the metric's standard error, `jackknife.spread_of_few_runs(...).degrees`, for student

    Raises
    ------
    ValueError : student without degrees
    """
    sizes = np.asarray(sizes)
    if method != "student":
        narrow = _too_narrow(method, sizes, confidence)
        return f"{narrow}; take the method student" if narrow else ""
    if degrees is None:
        raise HintedError("student", "a remark without degrees of freedom", "`spread_of_few_runs` gives them")
    fewest, most = int(sizes.min()), int((sizes - 1).sum())
    if metric_name == "median" and fewest < _FEWEST_FOR_A_MEDIAN:
        return f"with {_runs(fewest)} per task, the median over tasks is biased if scores are skewed or some runs fail"
    if metric_name == "iqm" or min(degrees, most) >= _FEWEST_DEGREES:
        return ""
    if most < _FEWEST_DEGREES:
        return f"with {most} degrees of freedom, the interval is right only if scores are nearly normal"
    return "as few tasks decide its width, the interval is right only if their scores are nearly normal"


def improvement_remark(sizes: Integers | Sequence[int], width: Floats | float, confidence: float = 0.95) -> str:
    """One sentence where a percentile interval of the probability of improvement does not hold its level, else "".

    Measured (table "improvement intervals") with ten tasks and 95 %: failures in 13 to 19 % of data sets of 2 runs, 7
    to 15 % of 3, 5 to 13 % of 5 and 5 to 7 % of 10, where one algorithm wins one to three pairs of four. Of one that
    wins 19 of 20, 5 runs of a single task miss it in 57 %, since in most data sets all runs win.

    Parameters
    ----------
    sizes : numbers of runs of the tasks, of both algorithms
    width : of the interval
    """
    if width == 0.0:
        return "no resample differs, so the interval has no width, whatever the truth; it needs more runs"
    narrow = _too_narrow("percentile", np.asarray(sizes), confidence)
    return f"{narrow}; add runs" if narrow else ""


def _too_narrow(method: str, sizes: Integers, confidence: float) -> str:
    coverage = expected_coverage(sizes, confidence)
    if coverage >= confidence - _VISIBLE:
        return ""
    interval = f"a {100 * confidence:g} % {method} interval"
    return f"with {_runs(int(sizes.min()))} per task, {interval} holds the truth in about {100 * coverage:.0f} %"


def _runs(number: int) -> str:
    return f"{number} run{'s' * (number != 1)}"
