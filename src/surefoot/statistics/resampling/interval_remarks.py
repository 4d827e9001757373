"""Where intervals of metrics do not hold their level, from what the runs show.

Intervals read off the replicates (percentile, basic, bc, bca, normal) are too narrow, since a resample of N runs of a
task has (N - 1) / N of their variance, and since that is estimated. With ten tasks, 95 % percentile intervals of the
mean of normal scores miss the truth in about 20 % of the data sets of 2 runs per task, 12 % of 3, 9 % of 5, 7 % of 10
and 5 % of 30, which the formula of `expected_coverage` gives to 3 percentage points; skewed scores and rare failures
are worse.

Student's intervals at 95 % were measured on 18 distributions of 1, 5 and 26 tasks with 3, 5 and 10 runs (300 data sets
each: normal, lognormal, exponential, t with 2 degrees of freedom, 0 or 1, zero-inflated, U-shaped, saturated, with 7 to
30 % of collapsed runs, unequal noise, unequal runs, one task that decides). Without a remark they missed

* the IQM in at most 8 % of the data sets of a kind (by chance: 300 of level 5 % reach that once in 100 times, and
  there are 140 kinds), with one exception: where one task of five has nearly all of the variance, 10 % with 3 runs.
  What is remarked upon: a single task with fewer than 10 runs (44 % missed where scores are 0 or 1), 15 % or more of
  the scores one number that occurs more than once in its task (up to 13 % of several tasks, and zero width), fewer than
  6 degrees of freedom. Of the data sets of 5 and 26 tasks with 3 and 5 runs, 35 to 50 % of whose scores are one number,
  few have no remark, of which 4 to 17 % missed. With normal scores,
  there is a remark in 29 % of the data sets of 3 runs of 5 tasks, in 1 % of 3 runs of 10, and in none of more
* mean and optimality gap in at most 9 % (as the IQM, by chance). With fewer than 30 degrees of freedom there always is
  a remark, since rare failures may not have shown (up to 44 % missed); beyond, where the metric's distribution is
  skewed by more than 0.05: with normal scores, the mean's in 29 % of data sets of 10 runs of 5 tasks, and in 3, 1 and
  0 % of 3, 5 and 10 runs of 26. Of the few data sets of heavy-tailed scores that show no skewness, more miss the truth
  than of all: the gap in 14 to 55 % of those
* the median never, as there always is a remark with fewer than 20 runs (up to 74 % missed)

These are of tasks with runs of their own. Where tasks share runs and too few runs show it (`runs.sharing`), no remark
can say so, and the finding says what is assumed: with one algorithm, 3 runs and a correlation of .1 to .5, the IQM is
missed in 14 to 8 % of 26 tasks and in 7 to 16 % of 5.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri, stdtr

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.run_effects import FOUND, SEEM, SHARED, Sharing, sharing_remark

_VISIBLE = 0.02
"""By how much less than promised an interval has to hold for a remark."""
_FEWEST_DEGREES = 30
_FEWEST_DEGREES_OF_AN_IQM = 6
_FEWEST_OF_ONE_TASK = 10
_FEWEST_FOR_A_MEDIAN = 20
_MOST_SKEWNESS = 0.05
"""Skewness of a metric's distribution; that of a mean of n runs with skewness g each is g / sqrt(n)."""
_MOST_EQUAL = 0.15
"""The share of scores that are one number."""


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
    scores: Sequence[Floats],
    confidence: float = 0.95,
    shape: tuple[float, float] = (np.nan, np.nan),
    width: float | None = None,
    resampled: str = "runs",
    sharing: Sharing | str = "",
) -> str:
    """A text where an interval may not hold its level, else an empty one.

    Failures that are too rare for these runs to show are beyond any interval, and so beyond this remark.

    Parameters
    ----------
    method : one of `replicate_intervals.METHODS`
    metric_name : of the metric, such as "median", without parameter
    scores : float64[runs] of each task
    shape : for student, degrees of freedom of the metric's standard error and skewness of its distribution, as
        `stratified_bootstrap.standard_errors` gives them
    width : of the interval, if it is known
    resampled : what is random, one of `stratified_bootstrap.RESAMPLED`
    sharing : what is known of whether tasks share the runs, see `run_effects.shared_runs`
    """
    if width == 0.0:
        return "the runs that decide it are equal, so the interval has no width and says nothing of runs not seen"
    sizes = np.array([len(column) for column in scores])
    sharing = sharing if isinstance(sharing, Sharing) else Sharing(sharing)
    shared = resampled == "runs" and sharing.finding in SHARED
    if method != "student":
        if shared:
            why = SEEM if sharing.finding == FOUND else "tasks share runs"
            return f"{why}, which this interval does not allow for; take the method student"
        units = {"whole_runs": sizes[:1], "tasks_and_runs": np.array([sizes.size])}.get(resampled, sizes)
        narrow = _too_narrow(method, units, confidence, "task" if resampled == "tasks_and_runs" else "run")
        return f"{narrow}; take the method student" if narrow else ""
    if resampled == "tasks_and_runs":
        few = sizes.size < _FEWEST_OF_ONE_TASK
        return f"with {sizes.size} tasks, the interval is right only if their scores are nearly normal" if few else ""
    of_sharing = sharing_remark(sharing, int(sizes.min()))
    if shared or resampled == "whole_runs":
        return of_sharing
    return "; ".join(filter(None, (_of_students(metric_name, scores, sizes, *shape), of_sharing)))


def difference_remark(
    metric_name: str,
    both: Sequence[Sequence[Floats]],
    shape: tuple[float, float],
    width: float,
    sharing: Sharing | str = "",
) -> str:
    """A text where Student's interval of a difference may not hold its level, else an empty one.

    Parameters
    ----------
    both : scores of each of the two algorithms, float64[runs] of each task
    shape : degrees of freedom of the difference, and the greater skewness of the two metrics
    others : see `metric_remark`
    """
    found = [
        metric_remark("student", metric_name, scores, shape=shape, width=width, sharing=sharing) for scores in both
    ]
    return next(filter(None, found), "")


def unlike_runs_remark(samples: Sequence[Sequence[Floats]], weighting: str = "tasks") -> str:
    """Return a remark if algorithms divide their runs unlike over the tasks, else an empty text.

    Equal algorithms are then separated as rarely as others, since every task has the same weight (`trust`, "difference
    intervals"). But whoever makes or loses runs by their scores can choose what is compared, and readers should know.

    Parameters
    ----------
    samples : scores of each algorithm, float64[runs] of each task
    weighting : of the metric, one of `catalogue.WEIGHTINGS`
    """
    sizes = np.array([[len(column) for column in scores] for scores in samples])
    totals = sizes.sum(axis=1, keepdims=True)
    if (sizes * totals[0] == sizes[0] * totals).all():
        return ""
    counted = f"tasks have {sizes.min()} to {sizes.max()} runs, divided unlike by the algorithms"
    if weighting == "runs":
        return f"{counted}; as every run has the same weight, equal algorithms differ"
    return f"{counted}; every task has the same weight"


def beyond_scores_remark(scores: Sequence[Floats], low: float, high: float) -> str:
    """A text where an interval reaches below 0 and no score does, or above 1 and all scores are from 0 to 1; else "".

    Student's interval knows no bounds of scores, such as those of success rates.
    """
    least, greatest = min(column.min() for column in scores), max(column.max() for column in scores)
    reached = {"below 0": low < 0.0 <= least, "above 1": least >= 0.0 and greatest <= 1.0 < high}
    beyond = [where for where, there in reached.items() if there]
    return f"it reaches {' and '.join(beyond)}, where no run scored" if beyond else ""


EQUAL_RUNS = "no run differs from another of its task, so nothing tells how far the difference may be off"
EQUAL_OUTCOMES = "no run differs from another of its task, so the limits are of success rates"


def _of_students(metric_name: str, scores: Sequence[Floats], sizes: Integers, degrees: float, skewness: float) -> str:
    """The remark on an interval of independent runs."""
    fewest, most, normal = int(sizes.min()), int((sizes - 1).sum()), "the interval is right only if"
    if metric_name == "median" and fewest < _FEWEST_FOR_A_MEDIAN:
        return (
            f"with {_counted(fewest)} per task, the median over tasks is biased unless scores are nearly normal and "
            "tasks equally noisy"
        )
    if sizes.size == 1 and most < _FEWEST_OF_ONE_TASK - 1:
        return f"with {_counted(fewest)} of one task, {normal} scores are nearly normal, without rare failures"
    if metric_name == "iqm":
        # The share of the most frequent score, which counts in tasks where it occurs more than once: a single 0 and 1
        # of each task are what `scales.min_max` makes of scores that all differ.
        totals: Counter[float] = Counter()
        for column in scores:
            values, counts = np.unique(column, return_counts=True)
            totals.update(dict(zip(values[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True)))
        equal = max(totals.values(), default=0) / sizes.sum()
        if equal >= _MOST_EQUAL:
            return f"{100 * equal:.0f} % of the scores are equal, which can make the interval of an IQM too narrow"
        return _FEW_DECIDE if degrees < _FEWEST_DEGREES_OF_AN_IQM else ""
    if most < _FEWEST_DEGREES:
        return f"with {most} degrees of freedom, {normal} scores are nearly normal, without rare failures"
    if degrees < _FEWEST_DEGREES:
        return _FEW_DECIDE
    return _SKEWED if abs(skewness) > _MOST_SKEWNESS else ""


_FEW_DECIDE = "as few tasks decide its width, the interval is right only if their scores are nearly normal"
_SKEWED = "the scores are skewed or have outliers, which few runs show only in part, so the interval may be too narrow"


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


def _too_narrow(method: str, sizes: Integers, confidence: float, unit: str = "run") -> str:
    coverage = expected_coverage(sizes, confidence)
    if coverage >= confidence - _VISIBLE:
        return ""
    interval = f"a {100 * confidence:g} % {method} interval"
    counted = f"{sizes[0]} tasks" if unit == "task" else f"{_counted(int(sizes.min()))} per task"
    return f"with {counted}, {interval} holds the truth in about {100 * coverage:.0f} %"


def _counted(runs: int) -> str:
    return f"{runs} run{'s' * (runs != 1)}"
