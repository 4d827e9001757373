"""Hyperparameter sensitivity and effective dimension, with limits that account for the selection of settings.

Scores are float64[environments, settings, runs] of one algorithm, on a common scale, with NaN for missing runs. A
setting is complete if it has runs in all environments. With the mean scores mu[e, h] in environment e with setting h,

    tuned = mean_e max_h mu[e, h]        the best setting of each environment
    cross = max_h mean_e mu[e, h]        the best complete setting, the same in all environments
    sensitivity = tuned - cross

and the dimension is the smallest number of hyperparameters that reach 95 % of `tuned` if only these are tuned in each
environment, while the others stay as in the best complete setting (Adkins, Bowling and White, "A method for evaluating
hyperparameter sensitivity in reinforcement learning", NeurIPS 2024).

The greatest of several noisy means is too high on average, even if all settings are equal, and resampling runs repeats
this error. So runs are split at random into two halves. For a held-out value, settings are chosen with one half of the
runs and evaluated with the other, averaged over both directions. The value is unbiased for the chosen settings, which
are at most as good as the best, so its lower limit is also a lower limit for the best setting. An upper limit for the
best setting is the greatest of the separate upper limits of all settings. Limits of the sensitivity combine a lower and
an upper limit, and so does each step of the dimension. All limits are means over several splits.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.streams import stream_key, uniforms

SHARE = 0.95
"""Share of `tuned` that tuning a subset of the hyperparameters must reach."""
MOST_HYPERPARAMETERS = 10
"""Largest number of hyperparameters, since all subsets are tried (10 hyperparameters have 1,024)."""
_SPLITS = 10
_FEWEST_DEGREES = 30
"""Degrees of freedom of the variance of a mean below which there is a remark, since rare failures may not occur."""
_LEAST = 1e-300  # replaces a variance of 0
_VARIANCES = 4.0 ** -np.arange(6)
"""Factors of the greatest variance at which the tangents in `_Halves.highest` touch the square root."""


class Estimate(NamedTuple):
    """Estimate of a function of the true mean scores, such as the sensitivity.

    estimate : value for the means of all runs, as published; too high if it is the greatest of several means
    held_out : value for settings that were chosen with other runs; NaN if no runs can be held out
    low, high : limits of the true value; NaN if no runs can be held out
    """

    estimate: float
    held_out: float = np.nan
    low: float = np.nan
    high: float = np.nan


class Sensitivity(NamedTuple):
    """Hyperparameter sensitivity of an algorithm; see the module docstring.

    best : index of the best complete setting, from all runs
    """

    tuned: Estimate
    cross: Estimate
    sensitivity: Estimate
    best: int


class Dimension(NamedTuple):
    """Effective dimension of the hyperparameters of an algorithm; see the module docstring.

    size : the dimension; NaN if the tuned value is not positive
    interpolated : size at which linear interpolation between `values` reaches 95 % of the tuned value
    values : float64[hyperparameters + 1], value of the best subset of each size
    subsets : the best subset of each size, as indices of hyperparameters
    """

    size: Estimate
    interpolated: float
    values: Floats
    subsets: list[tuple[int, ...]]


def mean_scores(scores: Floats) -> Floats:
    """Return means over runs, float64[environments, settings]; -inf for settings without runs in an environment."""
    counts = np.isfinite(scores).sum(axis=-1)
    return np.where(counts > 0, np.nansum(scores, axis=-1) / np.maximum(counts, 1), -np.inf)


def has_spread(scores: Floats) -> bool:
    """Return True if no setting has a single run in an environment."""
    counts = np.isfinite(scores).sum(axis=-1)
    return bool((counts[counts > 0] > 1).all())


def best_setting(means: Floats) -> int:
    """Return the index of the complete setting with the highest mean over environments; the first in case of ties.

    Raises
    ------
    ValueError : if no setting is complete
    """
    across = means.mean(axis=0)
    if not np.isfinite(across).any():
        raise HintedError(
            "hyperparameters",
            "no setting has runs in all environments",
            "add runs of at least one setting in every environment",
        )
    return int(across.argmax())


def subset_values(means: Floats, settings: Integers, base: int) -> tuple[Floats, list[tuple[int, ...]]]:
    """Find the best subset of each size if only the subset is tuned in each environment.

    Parameters
    ----------
    means : result of `mean_scores`
    settings : int64[settings, hyperparameters], codes of the values, equal for equal values
    base : index of the setting from which the other hyperparameters are taken

    Returns
    -------
    values : float64[hyperparameters + 1], value of the best subset of each size, from none to all
    subsets : the best subset of each size; the first one in case of ties
    """
    values = []
    best = []
    for size in range(settings.shape[1] + 1):
        of_size = [_value_of(means, reached) for reached in _reached(means, settings, base, size)]
        values.append(max(of_size))
        best.append(list(combinations(range(settings.shape[1]), size))[int(np.argmax(of_size))])
    return np.array(values), best


def sensitivity(scores: Floats, confidence_level: float = 0.95, seed: int = 0, name: str = "") -> Sensitivity:
    """Estimate the tuned value, the cross value and the sensitivity of an algorithm.

    Limits need at least two runs of every setting.

    Parameters
    ----------
    scores : float64[environments, settings, runs], NaN for missing runs. Runs are split by index, in the same way for
        all settings, since runs with the same index may share a seed
    confidence_level : confidence level of each interval separately
    seed, name : seed, and name of the algorithm, which identify the random splits

    Raises
    ------
    ValueError : if no setting has runs in all environments
    """
    means = mean_scores(scores)
    best = best_setting(means)
    tuned = float(means.max(axis=1).mean())
    cross = float(means[:, best].mean())
    values = (tuned, cross, tuned - cross)
    limits = np.full((3, 3), np.nan)
    if has_spread(scores):
        limits = np.mean([halves.limits() for halves in _splits(scores, confidence_level, seed, name)], axis=0)
        limits[2, 1:] = np.maximum(limits[2, 1:], 0.0)  # a sensitivity is never negative
        limits[2, 1] = min(limits[2, 1:])  # for a single setting, both are 0 up to rounding
    of_tuned, of_cross, of_sensitivity = (Estimate(value, *three) for value, three in zip(values, limits, strict=True))
    return Sensitivity(of_tuned, of_cross, of_sensitivity, best)


def effective_dimension(
    scores: Floats, settings: Integers, confidence_level: float = 0.95, seed: int = 0, name: str = ""
) -> Dimension:
    """Estimate the number of hyperparameters that have to be tuned in each environment.

    The other hyperparameters stay as in the best complete setting, which is chosen from all runs. See `sensitivity` for
    the other parameters.

    Parameters
    ----------
    settings : int64[settings, hyperparameters], codes of the values, equal for equal values

    Raises
    ------
    ValueError : see `sensitivity`; or if there are more than 10 hyperparameters
    """
    count = settings.shape[1]
    if count > MOST_HYPERPARAMETERS:
        what = f"got {count}, but at most {MOST_HYPERPARAMETERS} are allowed"
        raise HintedError("hyperparameters", what, f"name at most {MOST_HYPERPARAMETERS}")
    means = mean_scores(scores)
    best = best_setting(means)
    values, subsets = subset_values(means, settings, best)
    enough = SHARE * values[-1]
    limits = np.full(3, np.nan)
    if not enough > 0.0:
        return Dimension(Estimate(np.nan), np.nan, values, subsets)
    size = float((values >= enough).argmax())
    if has_spread(scores):
        reached = [_reached(means, settings, best, one) for one in range(count + 1)]
        margins = [halves.margins(reached) for halves in _splits(scores, confidence_level, seed, name)]
        held, low, high = np.mean(margins, axis=0)[:, :-1]
        # All hyperparameters together always suffice.
        upper = len(held) - int(np.argmax([*(low < 0.0)[::-1], True]))
        limits = np.array([np.argmax([*(held >= 0.0), True]), np.argmax([*(high >= 0.0), True]), upper], np.float64)
    last = int(size)
    interpolated = last - (values[last] - enough) / (values[last] - values[last - 1]) if last else 0.0
    return Dimension(Estimate(size, *limits), interpolated, values, subsets)


def shares_below(samples: Sequence[Floats]) -> list[Floats]:
    """Map each score to the share of lower scores in the same environment, averaged over algorithms.

    This is the scale of Patterson, Neumann, Kumaraswamy, White and White, "The cross-environment hyperparameter setting
    benchmark for reinforcement learning" (2024).

    Parameters
    ----------
    samples : float64[environments, settings, runs] of each algorithm, NaN for missing runs
    """
    ascending = [[np.sort(scores[np.isfinite(scores)]) for scores in sample] for sample in samples]
    shares = []
    for sample in samples:
        by_environment = [
            np.mean([np.searchsorted(scores[place], values) / scores[place].size for scores in ascending], axis=0)
            for place, values in enumerate(sample)
        ]
        shares.append(np.where(np.isfinite(sample), by_environment, np.nan))
    return shares


def limits_remark(runs: int, environments: int, of_mean: bool) -> str:
    """Return a remark if limits are missing or may miss the truth too often, otherwise an empty string.

    Parameters
    ----------
    runs : smallest number of runs of a setting
    of_mean : True for limits of a mean, such as `tuned`; False for limits of a difference, such as the sensitivity,
        from which rare failures cancel
    """
    if runs == 1:
        return "a setting has one score in an environment, so there are no limits, and the best scores are too high"
    if of_mean and (runs - 1) * environments < _FEWEST_DEGREES:
        return f"with {runs} runs of a setting, the interval is right only if scores have no rare failures"
    return ""


def _splits(scores: Floats, confidence_level: float, seed: int, name: str) -> Iterator["_Halves"]:
    key = stream_key(seed, "tuning", name)
    for split in range(_SPLITS):
        yield _Halves(scores, uniforms(key, split, scores.shape[-1]).argsort(), 0.5 + confidence_level / 2.0)


def _reached(means: Floats, settings: Integers, base: int, size: int) -> list[Booleans]:
    """Return the settings that can be reached from `base` by tuning only some hyperparameters.

    Returns
    -------
    list of bool[settings], one for each subset of `size` hyperparameters; True for the complete settings that agree
    with `base` on all others, or for all settings if all hyperparameters are tuned
    """
    count = settings.shape[1]
    same = settings == settings[base]
    if size == count:
        return [np.full(len(settings), True)]
    complete = np.isfinite(means).all(axis=0)
    kept = [[one for one in range(count) if one not in subset] for subset in combinations(range(count), size)]
    return [np.asarray(complete & same[:, columns].all(axis=1)) for columns in kept]


def _value_of(means: Floats, reached: Booleans) -> float:
    """Return the mean over environments of the best mean score among the settings in `reached`."""
    return float(means[:, reached].max(axis=1).mean())


class _Halves:
    """The runs of all settings, split into two random halves.

    means : float64[2, environments, settings], means of each half; -inf without runs
    variances : float64[2, environments, settings], variances of these means. They use the variance of the runs of the
        setting or the pooled variance of the environment, whichever is larger, since the chosen settings are often
        those whose rare failures do not occur
    whole : float64[environments, settings], mean of the means of both halves
    quantile : quantile of Student's distribution, with the smallest degrees of freedom of one setting per environment
    """

    def __init__(self, scores: Floats, order: Integers, level: float) -> None:
        drawn = scores[..., order]
        present = np.isfinite(drawn)
        counts = present.sum(axis=-1)
        place = np.cumsum(present, axis=-1) - 1
        squares = np.where(present, drawn - mean_scores(drawn)[..., None], 0.0) ** 2
        variances = squares.sum(axis=-1) / np.maximum(counts - 1, 1)
        pooled = squares.sum(axis=(1, 2)) / np.maximum(counts - 1, 0).sum(axis=1)
        variances = np.where(counts > 0, np.maximum(variances, pooled[:, None]), 0.0)
        halves = [np.where(present & (place % 2 == half), drawn, np.nan) for half in (0, 1)]
        self.means = np.array([mean_scores(half) for half in halves])
        self.variances = np.array([variances / np.maximum(np.isfinite(half).sum(axis=-1), 1) for half in halves])
        self.whole = self.means.mean(axis=0)
        self.quantile = float(stdtrit(np.where(counts > 0, counts - 1.0, np.inf).min(axis=1).sum(), level))

    def limits(self) -> Floats:
        """Return (held-out value, lower limit, upper limit) of tuned, cross and sensitivity, float64[3, 3]."""
        each = self.chosen(lambda means: means.argmax(axis=1))
        same = self.chosen(lambda means: np.full(len(means), best_setting(means)))
        tuned = self.value(each)
        cross = self.value(same)
        alone = self.variance(each, 0.0, 1.0)
        tuned_low = tuned - self.error(self.variance(each, 1.0, 0.0)[:, 0])
        cross_low = cross - self.error(self.variance(same, 1.0, 0.0)[:, 0])
        low = tuned - self.highest_of_same(self.variance(each, 1.0, 1.0))
        high = self.highest(self.whole, self.variance(same, 1.0, 1.0)) - cross
        return np.array(
            [
                (tuned, tuned_low, self.highest(self.whole, alone)),
                (cross, cross_low, self.highest_of_same(alone)),
                (tuned - cross, low, high),
            ]
        )

    def margins(self, slices: list[list[Booleans]]) -> Floats:
        """Return how much the value of the best subset of each size exceeds the share of `tuned` that is required.

        slices : for each size, the result of `_reached`

        Returns
        -------
        float64[3, sizes], held-out values, lower limits and upper limits
        """
        each = self.chosen(lambda means: means.argmax(axis=1))
        enough = SHARE * self.value(each)
        alone = self.variance(each, SHARE, 1.0)
        margins = []
        for of_size in slices:
            # For each environment, the best setting that tuning only the best subset of hyperparameters can reach.
            best = [max(of_size, key=partial(_value_of, means)) for means in self.means[::-1]]
            halves = zip(best, self.means[::-1], strict=True)
            chosen = np.array([np.where(one, means, -np.inf).argmax(axis=1) for one, means in halves])
            value = self.value(chosen)
            low = value - self.highest(SHARE * self.whole, self.variance(chosen, 1.0, SHARE))
            reached = [self.highest(np.where(part, self.whole, -np.inf), alone) for part in of_size]
            margins.append((value - enough, low, max(reached) - enough))
        return np.array(margins).T

    def chosen(self, choose: Callable[[Floats], Integers]) -> Integers:
        """Return the settings to evaluate on each half, which are chosen with the other half, int64[2, environments].

        choose : function of the means of a half, float64[environments, settings], that returns int64[environments]
        """
        return np.array([choose(self.means[1]), choose(self.means[0])])

    def value(self, chosen: Integers) -> float:
        """Return the mean score of the chosen settings over environments and halves, which is the held-out value.

        chosen : result of the method `chosen`
        """
        return float(np.take_along_axis(self.means, chosen[..., None], axis=2).mean())

    def variance(self, chosen: Integers, held: float, whole: float) -> Floats:
        """Return the variance of ``held * value - whole * mean`` for each setting, float64[environments, settings].

        `value` is the held-out value, and `mean` the mean of the setting. The variance is a sum over environments, and
        the result has one term for each.
        """
        of_chosen = np.take_along_axis(self.variances, chosen[..., None], axis=2)
        parts = held**2 * of_chosen + whole**2 * self.variances
        np.put_along_axis(parts, chosen[..., None], (held - whole) ** 2 * of_chosen, axis=2)
        return np.asarray(parts.sum(axis=0) / (2.0 * len(self.whole)) ** 2)

    def error(self, variances: Floats) -> Floats:
        """Return the distance of a limit from an estimate, given the terms of the variance, [environments, ...]."""
        return self.quantile * np.sqrt(variances.sum(axis=0))

    def highest_of_same(self, variances: Floats) -> float:
        """Return the greatest upper limit of the mean over environments of any complete setting."""
        return float((self.whole.mean(axis=0) + self.error(variances)).max())

    def highest(self, means: Floats, variances: Floats) -> float:
        """Return a bound of the upper limits of the mean over environments, for all choices of a setting in each.

        The standard error is the square root of a sum over environments. A square root lies below each of its tangents,
        and a tangent is itself a sum over environments, so it is easily maximized. The smallest bound of several
        tangents is used.
        """
        roots = np.sqrt(np.maximum(variances.max(axis=1).sum() * _VARIANCES, _LEAST))[:, None, None]
        tangents = means / len(means) + self.quantile * variances / (2.0 * roots)
        return float((tangents.max(axis=2).sum(axis=1) + self.quantile * roots[:, 0, 0] / 2.0).min())
