"""Limits of a success rate, from runs of which each has several trials with two outcomes.

Trials of one run share what it has learnt, so they are no independent trials of the algorithm. In run i, p_i is the
rate of all trials that it could have, and p_i has a beta distribution with the mean mu and the overdispersion rho =
1 / (a + b + 1): the variance of p_i is rho mu (1 - mu), and rho is the correlation of two trials of a run. So the
successes of run i have a beta-binomial distribution (Skellam, JRSS B 10, 1948). The limits are quantiles of posterior
distributions of mu, with a uniform prior of rho: few runs cannot tell rho, and a single estimate of it would make
limits too narrow where all runs succeed nearly always. The prior of mu is beta(0, 1) for the lower limit and beta(1, 0)
for the upper one, so that the limits of runs of one trial each are those of Clopper and Pearson (Biometrika 26, 1934).
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats

_COARSE, _FINE, _DISPERSIONS = 200, 500, 40
"""Points of the grids of mu, twice, and of rho."""
_NEGLIGIBLE = 1e-7
"""Of the posterior probability, outside of the finer grid."""


class RateLimits(NamedTuple):
    """Limits of the rate, and the posterior mean of the overdispersion rho, from 0 (as if trials were independent) to 1
    (all trials of a run have the same outcome)."""

    low: float
    high: float
    overdispersion: float


def rate_limits(successes: Floats, trials: Floats, confidence: float) -> RateLimits:
    """Limits of the mean success rate of runs, each with probability (1 - confidence) / 2 outside.

    Without a single success the lower limit is 0, without a failure the upper one is 1.

    Parameters
    ----------
    successes, trials : float64[runs], whole numbers

    Raises
    ------
    ValueError : no runs, a run without trials, or more successes than trials
    """
    successes, trials = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    if not successes.size or trials.min() < 1 or (successes < 0).any() or (successes > trials).any():
        raise HintedError(
            "rate_limits", "runs without trials", "0 to `trials` successes of each run, in 1 or more trials"
        )
    angles = np.linspace(0.0, 1.0, _COARSE + 1)
    probability = _posterior(successes, trials, _middles(angles)).sum(axis=1)
    inside = np.flatnonzero(probability > _NEGLIGIBLE * probability.max())
    angles = np.linspace(angles[inside[0]], angles[inside[-1] + 1], _FINE + 1)
    middles = _middles(angles)
    joint = _posterior(successes, trials, middles)
    # With beta(1/2, 1/2); divided and multiplied by the square root of mu / (1 - mu) with the other two priors.
    probability, tilt = joint.sum(axis=1), np.tan(0.5 * np.pi * middles)
    tail = (1.0 - confidence) / 2.0
    low, high = _quantile(probability / tilt, angles, tail), _quantile(probability * tilt, angles, 1.0 - tail)
    overdispersion = float(joint.sum(axis=0) @ _dispersions()[0])
    return RateLimits(low if successes.any() else 0.0, high if (successes < trials).any() else 1.0, overdispersion)


def _quantile(probability: Floats, angles: Floats, level: float) -> float:
    below = np.concatenate([[0.0], np.cumsum(probability)])
    return float(_rate(np.interp(level * below[-1], below, angles)))


def _posterior(successes: Floats, trials: Floats, angles: Floats) -> Floats:
    """Probabilities of all pairs of the points of mu and rho, float64[points, points of rho], which add up to 1.

    angles : of mu, in which the prior beta(1/2, 1/2) is uniform
    """
    mean = _rate(angles)[:, None]
    dispersion, weight = _dispersions()
    both = 1.0 / dispersion - 1.0
    a, b = mean * both, (1.0 - mean) * both
    likelihood = np.zeros(a.shape)
    pairs, counts = np.unique(np.stack([successes, trials]), axis=1, return_counts=True)
    for won, played, count in zip(*pairs, counts, strict=True):
        likelihood += count * (betaln(won + a, played - won + b) - betaln(a, b))
    joint = np.exp(likelihood - likelihood.max()) * weight
    return joint / joint.sum()


def _dispersions() -> tuple[Floats, Floats]:
    """Points of rho from 0 to 1 and their weights under the uniform prior, denser near 0."""
    nodes, weights = np.polynomial.legendre.leggauss(_DISPERSIONS)
    root = (nodes + 1.0) / 2.0
    return root**2, weights * root


def _rate(angle: Floats) -> Floats:
    return np.sin(0.5 * np.pi * angle) ** 2


def _middles(ends: Floats) -> Floats:
    return 0.5 * (ends[1:] + ends[:-1])
