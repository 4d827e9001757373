"""Bands around average-score profiles: the fraction of fixed tasks whose true mean score is above t.

The profile of the means of a few runs is a biased estimate of that step function, and resampling its errors does not
tell by how much. So the mean of each task gets limits, all of which hold at once (Sidak, JASA 62, 1967). A task whose
limits contain t may be on either side: the profile is at least the fraction of the lower limits above t and at most
that of the upper ones.

The limits are Student's with moderated variances (Smyth, Statistical Applications in Genetics and Molecular Biology 3,
2004): s^2 = (d_0 s_0^2 + d s_m^2) / (d_0 + d) with d = N - 1 and d_0 + d degrees of freedom, where s_0 and d_0 are
those of the scaled F distribution of the tasks' variances. d_0 is estimated low, from one standard error above the
variance of the logarithms, so that tasks with unlike noise are not taken for alike. With few runs, that is far narrower
than limits from the variance of each task alone, and holds as often.

No limits of means hold whatever the scores: where a run in ten collapses, few runs do not show it, and the band holds
the whole profile in half to nine tenths of tables, least often with 10 to 30 runs (`trust.profile_bands`).
"""

import numpy as np
from scipy.special import digamma, polygamma, stdtrit

from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_pool import Scores, task_columns


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
