"""Sample-efficiency curves (Agarwal et al. 2021, section 4.4, appendix A.20): metrics by training step, with bands.

Runs are resampled with all of their steps. Pointwise intervals are the same as if each step were resampled separately,
but differences between steps and simultaneous bands depend on how the steps of a run vary together.

The table shows how often simultaneous 95 % bands of a mean missed the true curve if tasks share runs, in percent of 300
simulated studies with eight steps, by the correlation between tasks (200 replicates; 150 studies for the difference of
two equal algorithms). "apart" treats the runs of each task as independent. "whole" treats runs with the same name on
different tasks as one unit. "auto" does so if the means over the steps show that tasks share runs
(`shared_run_findings.shared_runs`). Bands of an IQM miss equally often or less, up to a percentage point. The last
column is the ratio of the widths of "whole" and "apart" bands. Bands wider than the range of all scores are not drawn,
and count as never missing.

                          one curve: apart, auto, whole    difference    width
walks, 5 tasks, .3:   3 runs    18  14   1                18  10   1      2.4
                      5         21  16   1                14   5   1      1.8
                     10         24  11   5                31   7   3      1.6
walks, 26 tasks, .3:  3         70  19   0                65   3   0      6.0
                      5         69  10   1                72   1   0      3.9
                     10         76   2   2                71   4   4      3.1
walks, 5 tasks, .5:   3         34  26   0                28  13   0      2.7
                      5         25  11   2                33   3   1      2.1
                     10         32   8   4                35   4   3      1.8
walks, 26 tasks, .5:  3         80  18   0                84   1   0      7.0
                      5         83   3   2                85   1   1      4.7
                     10         81   4   4                81   3   3      4.0
jumps, 26 tasks, .5:  3         64   8   1                58   1   1      5.8
                      5         63   4   2                61   2   1      4.0
                     10         59   4   4                62   2   2      3.2

With one algorithm, "auto" has only its runs to detect sharing; with two algorithms, it has more power. For independent
tasks, "auto" missed a curve in 0 to 6 %, like "apart".
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.errors import counted
from surefoot.statistics.arrays import Floats, Integers, exceeds, typical_magnitude
from surefoot.statistics.metrics.metric_catalogue import IQMS, Metric
from surefoot.statistics.resampling.jackknife import run_influences, without_each_run
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.shared_run_findings import PARTLY, SHARED
from surefoot.streams import open_uniforms, stream_key


def curve_values(curves: Floats | Sequence[Floats], metrics: Sequence[str | Metric]) -> Floats:
    """Return metrics at each step, float64[steps, metrics]; see `replicate_curves` for the parameters and errors."""
    return np.array([metric_values(scores, metrics) for scores in _steps(curves)])


def replicate_curves(
    curves: Floats | Sequence[Floats],
    metrics: Sequence[str | Metric],
    n_resamples: int = 2_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    threads: int = 1,
) -> Floats:
    """Return metrics at each step of resampled runs, float64[replicates, steps, metrics].

    See `replicate_metrics` for the other parameters.

    Parameters
    ----------
    curves : float64[runs, tasks, steps], or float64[runs, steps] for each task; the numbers of runs may differ

    Raises
    ------
    ValueError : see `replicate_metrics`
    """
    of_steps = []
    for scores in _steps(curves):
        drawn = replicate_metrics(scores, metrics, n_resamples, seed, name, tasks, "paired_runs", threads=threads)
        # Resamples of equal runs should be equal. Otherwise rounding errors would give a band for few runs a width.
        equal = ~exceeds(np.ptp(drawn, axis=0), 0.0, typical_magnitude(np.concatenate([one.ravel() for one in scores])))
        drawn[:, equal] = drawn[0, equal]
        of_steps.append(drawn)
    return np.stack(of_steps, axis=1)


def replicate_whole_runs(
    curves: Floats | Sequence[Floats],
    metrics: Sequence[str | Metric],
    runs: Sequence[Sequence[Any]],
    n_resamples: int = 2_000,
    seed: int = 0,
    name: str = "",
) -> Floats:
    """Return replicates of metrics at each step if tasks share runs, float64[replicates, steps, metrics].

    In a replicate, each run shifts the metrics at all steps by its jackknife influence times one normal variate (the
    multiplier bootstrap: Chernozhukov, Chetverikov and Kato, Annals of Statistics 41, 2013). With N runs, the variance
    is (N - 1) / N times the jackknife's, like the variance of resamples. Resampling runs together on all tasks would
    require the same runs on all tasks, and there are few different resamples of a few runs.

    Parameters
    ----------
    curves : see `replicate_curves`
    runs : names of the runs of each task; runs with the same name are one unit
    seed, name : seed, and name of the algorithm, which identify the random stream
    """
    without = np.stack([without_each_run(scores, metrics, runs) for scores in _steps(curves)], axis=1)
    count = len(without)
    uniforms = open_uniforms(stream_key(seed, "whole_runs_of_curves", name), 0, n_resamples * count)
    moved = np.tensordot(ndtri(uniforms).reshape(n_resamples, count), run_influences(without), 1)
    return np.asarray(curve_values(curves, metrics) + (count - 1.0) / count * moved)


def _steps(curves: Floats | Sequence[Floats]) -> list[list[Floats]]:
    """Return the scores of each task at each step."""
    by_task = np.moveaxis(curves, 1, 0) if isinstance(curves, np.ndarray) and curves.ndim == 3 else curves
    by_task = [np.asarray(task, np.float64) for task in by_task]
    return [[task[:, step] for task in by_task] for step in range(by_task[0].shape[1])]


_FEW = 20  # number of runs per task below which `curve_remark` returns a caveat
_FEWEST_STUDIED = 3


def simultaneous_curve_bands(
    replicates: Sequence[Floats],
    values: Sequence[Floats],
    sizes: Sequence[Integers | Sequence[int]],
    confidence_level: float = 0.95,
    metric: str = "mean",
) -> list[tuple[Floats, Floats]]:
    """Return simultaneous limits (low, high) of several curves, such as learning curves or their differences.

    The limits have the same distance from a curve at all points: a multiple of its greatest standard error, chosen so
    that the stated fraction of replicates stays inside at all points of all curves. Multiples of the standard error at
    each point (Montiel Olea and Plagborg-Moller, Journal of Applied Econometrics 34, 2019) would be narrower at some
    points, but a few runs do not determine these errors: if runs improve suddenly, each at a different step, the error
    is nearly 0 before the first improvement.

    These limits would be too narrow for few runs, so they are enlarged in two ways. Standard errors are corrected,
    because resamples have only (N - 1) / N of the variance of N runs per task. And the normal quantile is replaced by
    Student's with sum(N - 1) degrees of freedom, since the errors are estimated. If tasks differ, an IQM depends on
    half of them and a median on two, so these metrics have fewer degrees of freedom. The limits may exceed the bounds
    of the scores, such as 0 and 1.

    Parameters
    ----------
    replicates : float64[replicates, points] for each curve; rows with the same number come from the same resample
    values : float64[points] for each curve
    sizes : for each curve, the numbers of runs of the tasks
    metric : name of the metric of the curves
    """
    # A standard deviation of equal numbers may be above 0, as their mean is rounded.
    greatest = [float((drawn.std(axis=0, ddof=1) * (np.ptp(drawn, axis=0) > 0.0)).max()) for drawn in replicates]
    extremes = np.zeros(len(replicates[0]))
    for drawn, error in zip(replicates, greatest, strict=True):
        if error > 0.0:
            np.maximum(extremes, np.abs(drawn - drawn.mean(axis=0)).max(axis=1) / error, out=extremes)
    # With few runs, there are so few different resamples that all of them may lie in a band that is too narrow even for
    # a single step.
    errors = max(float(np.quantile(extremes, confidence_level, method="higher")), ndtri(0.5 + confidence_level / 2.0))
    bands = []
    for value, error, counts in zip(values, greatest, sizes, strict=True):
        several = np.array([size for size in counts if size > 1], np.float64)
        width = errors * error
        if several.size:
            # Fraction of the tasks on which a metric depends, if tasks differ.
            shares = dict.fromkeys(IQMS, 0.5) | {"median": 2.0 / len(counts)}
            deciding = shares.get(metric, 1.0) if len(counts) > 1 else 1.0
            degrees = max(np.sum(several - 1.0) * deciding, 1.0)
            width = -stdtrit(degrees, ndtr(-errors)) * error * np.sqrt(np.mean(several / (several - 1.0)))
        bands.append((value - width, value + width))
    return bands


def drawn_band(band: tuple[Floats, Floats], scores: Floats, differences: bool = False) -> tuple[Floats, Floats]:
    """Return the band, or NaN at all points if any part of it is wider than the range of all scores.

    scores : array of all scores of the curves
    differences : True for a band of differences, which may be twice as wide as the range of the scores
    """
    low, high = band
    reach = (2.0 if differences else 1.0) * float(np.ptp(scores))
    if exceeds(float((high - low).max()), reach, typical_magnitude(scores)):
        return np.full(low.shape, np.nan), np.full(high.shape, np.nan)
    return band


def curve_remark(runs: int, band: str, width: float, metric: str, sharing: str = "") -> str:
    """Return a caveat about a 95 % band, or an empty string if there is none.

    The percentages for single steps are from the subject `curve_bands` of `surefoot.validation`. The percentages for
    failures are from 300 simulated studies each with one and five tasks, 3, 5 and 10 runs, and a fifth of the runs
    failing: simultaneous bands of a mean missed 12 to 28 % of the curves, and bands of an IQM at most 5 %.

    Parameters
    ----------
    runs : smallest number of runs of any task
    band : "pointwise" or "simultaneous"
    width : greatest width of the band, or NaN if it is not drawn
    metric : name of the metric
    sharing : finding of `shared_runs`
    """
    if np.isnan(width):
        return "the band of the whole curve would be wider than the range of all scores, so it is not drawn; add runs"
    if sharing == PARTLY:
        return "tasks share the runs of one of the algorithms, or seem to, so the band is of whole runs of that one"
    if sharing in SHARED:
        if band == "simultaneous":
            return "tasks share runs, or seem to, so the band is of whole runs"
        return "tasks share runs, or seem to, which percentile limits do not allow for"
    if width == 0.0:
        return "all resamples are equal, so the band has no width, whatever the truth; it needs more runs"
    if runs >= _FEW or (band == "simultaneous" and runs > 1 and metric != "mean"):
        return ""
    with_runs = f"with {counted(runs, 'run')} of a task"
    if band == "simultaneous":
        if runs > 1:
            return (
                f"{with_runs}, the band of a mean is right only if rare failures have shown: where a fifth of the runs "
                "fail, it missed up to 28 % of curves"
            )
        return f"{with_runs}, the band does not include the errors of its scores"
    held = "percentile limits: nominal 95 % held a step in 51 to 99 %"
    fewer = "; those of fewer runs are far too narrow" if runs < _FEWEST_STUDIED else ""
    return f"{with_runs}, {held} of simulated studies of 3 to 10 runs{fewer}"
