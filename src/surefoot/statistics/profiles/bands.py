"""Bands around performance profiles, and what is known of how often they hold the truth.

BANDS: "pointwise", percentile limits of each threshold on its own, as published; "corrected", limits of each threshold
on its own that hold it about as often as they say; "simultaneous", limits of the whole profile at once. Those of
run-score profiles are in `run_score_bands`.

An average-score profile is the fraction of fixed tasks whose true mean score is above t. The profile of the means of a
few runs is a biased estimate of that step function, and resampling its errors does not tell by how much. So the mean of
each task gets limits, all of which hold at once (Sidak, JASA 62, 1967). A task whose limits contain t may be on either
side: the profile is at least the fraction of the lower limits above t and at most that of the upper ones.

The limits are Student's with moderated variances (Smyth, Statistical Applications in Genetics and Molecular Biology 3,
2004): s^2 = (d_0 s_0^2 + d s_m^2) / (d_0 + d) with d = N - 1 and d_0 + d degrees of freedom, where s_0 and d_0 are
those of the scaled F distribution of the tasks' variances. d_0 is estimated low, from one standard error above the
variance of the logarithms, so that tasks with unlike noise are not taken for alike. With few runs, that is far narrower
than limits from the variance of each task alone, and holds as often.

No limits of means hold whatever the scores: where a run in ten collapses, few runs do not show it, and the band holds
the whole profile in half to nine tenths of tables, least often with 10 to 30 runs (`trust.profile_bands`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import digamma, polygamma, stdtrit

from surefoot.statistics.arrays import Floats, check_choice, check_confidence
from surefoot.statistics.profiles.curves import pointwise_band
from surefoot.statistics.profiles.performance_profiles import profile
from surefoot.statistics.profiles.run_score_bands import run_score_band
from surefoot.statistics.resampling.jackknife import whole_run_errors
from surefoot.statistics.runs.samples import Scores, task_columns
from surefoot.statistics.ties import with_margin


def average_score_band(scores: Scores, thresholds: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Limits (low, high) of an average-score profile at all thresholds at once, float64[T] each.

    0 and 1 where no task has two runs that differ, as nothing tells then how far the means may be from the truth.

    Parameters
    ----------
    scores : of one algorithm, float64[runs, tasks] or one array a task
    thresholds : float64[T], ascending
    """
    low, high = mean_limits(scores, confidence)
    return _fraction_above(low, thresholds), _fraction_above(high, thresholds)


def mean_limits(scores: Scores, confidence: float) -> tuple[Floats, Floats]:
    """Limits (low, high) of the tasks' true means, float64[M] each, which all hold at once."""
    columns = task_columns(scores)
    sizes = np.array([column.size for column in columns], np.float64)
    means = np.array([column.mean() for column in columns])
    variances = np.array([column.var(ddof=1) if column.size > 1 and np.ptp(column) > 0 else 0.0 for column in columns])
    moderated, degrees = moderated_variances(variances, sizes - 1.0)
    level = 1.0 - confidence ** (1.0 / sizes.size)
    half_width = stdtrit(degrees, 1.0 - level / 2.0) * np.sqrt(moderated / sizes)
    return means - half_width, means + half_width


def moderated_variances(variances: Floats, degrees: Floats) -> tuple[Floats, Floats]:
    """Variances moved towards those of the other tasks, and their degrees of freedom, float64[M] each.

    Parameters
    ----------
    variances, degrees : float64[M]; those of 0 degrees are not looked at. Where none is above 0, all are infinite
    """
    known = (degrees > 0) & (variances > 0)
    if not known.any():
        return np.full(variances.shape, np.inf), np.ones(variances.shape)
    if variances.size == 1:
        return variances, degrees
    half = degrees[known] / 2.0
    logarithms = np.log(variances[known]) - digamma(half) + np.log(half)
    noise, count = polygamma(1, half), half.size
    middle = logarithms.mean()
    found = np.sum((logarithms - middle) ** 2) / max(count - 1, 1) - noise.mean()
    error = np.sqrt((polygamma(3, half) + 2.0 * noise**2).mean() / count)
    prior_half = _inverse_trigamma(max(found, 0.0) + error)
    prior = np.exp(middle + digamma(prior_half) - np.log(prior_half))
    total = 2.0 * prior_half + degrees
    return (2.0 * prior_half * prior + degrees * variances) / total, total


def _inverse_trigamma(value: float) -> float:
    """Newton's method of Smyth's appendix, which converges from below."""
    x = 0.5 + 1.0 / value
    for _ in range(50):
        at = polygamma(1, x)
        step = at * (1.0 - at / value) / polygamma(2, x)
        x += step
        if -step < 1e-8 * x:
            break
    return float(x)


def _fraction_above(limits: Floats, thresholds: Floats) -> Floats:
    return 1.0 - np.searchsorted(np.sort(limits), thresholds, side="right") / limits.size


BANDS = ("pointwise", "corrected", "simultaneous")
_FEW = 20  # runs of a task, up to which percentile limits fall short as `profile_remark` says
_FEW_WHERE_RUNS_COLLAPSE = 50  # up to which limits of means do, where a tenth of the runs collapse


def profile_band(
    scores: Scores,
    thresholds: Floats,
    kind: str = "run_scores",
    band: str = "simultaneous",
    confidence: float = 0.95,
    resampled: str = "runs",
    replicates: Floats | None = None,
    runs: Sequence[Sequence[Any]] | None = None,
) -> tuple[Floats, Floats]:
    """Limits (low, high) of a profile, float64[T] each, between 0 and 1 and around the profile.

    The tasks are fixed and their runs random, unless tasks are resampled too. "corrected" and "simultaneous" draw no
    random number; see `run_score_bands` and `average_score_bands` for their formulas and what they hold. Of average
    scores, they are the same band, as every task may matter at any one threshold.

    Parameters
    ----------
    scores : of one algorithm, float64[runs, tasks] or one array a task
    thresholds : float64[T], ascending
    kind : "run_scores" or "average_scores"
    band : one of BANDS
    resampled : what is random; see `stratified_bootstrap.replicate_metrics`
    replicates : float64[replicates, T], `performance_profiles.replicate_profiles`; needed for "pointwise", and where
        tasks are resampled
    runs : names of the runs of each task, by which whole runs belong together; their numbers if None

    Raises
    ------
    ValueError : an unknown band
    """
    check_choice("profile", band, BANDS)
    check_confidence("profile", confidence)
    if band == "pointwise":
        return pointwise_band(np.asarray(replicates), confidence)
    value = profile(scores, thresholds, kind)
    thresholds = with_margin(thresholds, np.concatenate(task_columns(scores)))
    if kind == "run_scores":
        errors = _whole_run_errors(scores, thresholds, runs) if resampled == "whole_runs" else None
        return run_score_band(scores, thresholds, confidence, band == "simultaneous", resampled, replicates, errors)
    if resampled == "tasks_and_runs":
        # Limits of the true means are scores of tasks that were drawn, one each.
        of_means = [limit[None, :] for limit in mean_limits(scores, confidence)]
        (least, _), (_, greatest) = (
            run_score_band(limit, thresholds, confidence, band == "simultaneous") for limit in of_means
        )
        return least, greatest
    low, high = average_score_band(scores, thresholds, confidence)
    return np.minimum(low, value), np.maximum(high, value)


def _whole_run_errors(scores: Scores, thresholds: Floats, runs: Sequence[Sequence[Any]] | None) -> Floats:
    """Standard errors of a run-score profile by the jackknife over whole runs, float64[T]."""
    columns = task_columns(scores)
    named = [range(column.size) for column in columns] if runs is None else runs
    without = []
    for run in dict.fromkeys(name for of_task in named for name in of_task):
        kept = [
            column[[name != run for name in of_task]] if column.size > 1 else column
            for column, of_task in zip(columns, named, strict=True)
        ]
        without.append(profile(kept, thresholds))
    return whole_run_errors(np.array(without))


def profile_remark(
    scores: Scores, kind: str = "run_scores", band: str = "simultaneous", resampled: str = "runs"
) -> str:
    """What readers of a 95 % band should know, from the numbers of runs and their ties, and from what was resampled;
    empty if nothing.

    The numbers are from `trust.profile_bands`, which studies bands of independent runs alone.
    """
    if resampled == "whole_runs" and band != "pointwise":
        return ""
    if resampled not in ("runs", "paired_runs"):
        return f"how often bands hold the profile where {resampled.replace('_', ' ')} are resampled was not studied"
    columns = task_columns(scores)
    fewest = min(column.size for column in columns)
    if band == "pointwise" and fewest < _FEW:
        held = "43 to 95 %" if kind == "run_scores" else "83 to 100 %"
        return (
            f"percentile limits, {fewest} {'run' if fewest == 1 else 'runs'} of a task: nominal 95 % held a threshold "
            f"in {held} of simulated tables of 3 to 10 runs; no width where all tasks seem decided"
        )
    if kind == "average_scores" and band != "pointwise":
        if not any(np.ptp(column) > 0 for column in columns):
            return "no task has two runs that differ: nothing tells how far means are from the truth"
        if fewest < _FEW_WHERE_RUNS_COLLAPSE:
            return (
                f"limits of the means of {fewest} {'run' if fewest == 1 else 'runs'}: nominal 95 % held the whole "
                "profile in only 50 to 94 % of simulated tables where a tenth of the runs collapse"
            )
    if band != "pointwise" and fewest == 1:
        return "a task with one run: nothing tells how much its score varies, so the limits are wide"
    return ""
