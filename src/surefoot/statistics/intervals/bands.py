"""Bands around empirical distribution functions: Dvoretzky, Kiefer and Wolfowitz, with Massart's (1990) constant."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats


class Band(NamedTuple):
    """An empirical distribution function and its band, float64[points] each.

    score : ascending, without repeats
    probability : proportion of the sample that is at most `score`
    low, high : limits of the probability
    """

    score: Floats
    probability: Floats
    low: Floats
    high: Floats


def band_half_width(size: npt.ArrayLike, delta: float) -> Any:
    """sqrt(ln(2/delta) / (2 N)): the true distribution function leaves a band of it with probability <= delta."""
    return np.sqrt(np.log(2.0 / delta) / (2.0 * np.asarray(size, np.float64)))


def distribution_band(sample: Floats, delta: float) -> Band:
    """Band at level 1 - delta around the empirical distribution function of an ascending sample.

    It holds for every distribution and all scores at once, so no range of the scores is assumed.
    """
    score, counts = np.unique(sample, return_counts=True)
    probability = np.cumsum(counts) / sample.size
    half_width = band_half_width(sample.size, delta)
    return Band(
        score, probability, np.maximum(probability - half_width, 0.0), np.minimum(probability + half_width, 1.0)
    )


def thin(band: Band, points: int) -> Band:
    """At most `points` (two or more) of a band's points: both ends, and between them regular in probability."""
    if points < 2:
        raise HintedError("dkw", f"{points} points do not make a curve", "`points` is at least 2")
    if band.score.size <= points:
        return band
    wanted = np.linspace(band.probability[0], 1.0, points)
    kept = np.unique(np.searchsorted(band.probability, wanted, side="left").clip(max=band.score.size - 1))
    return Band(*(column[kept] for column in band))
