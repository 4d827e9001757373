"""How far a plan may be off because its pilot is one of many: a band around predicted widths and chances.

The pilot is resampled, each task's runs on their own, and what a plan from each resample would predict is compared with
what the plan from the pilot predicts. Simulating studies with intervals for each resample would cost a hundred times as
much as the plan. Instead the metrics of many studies are drawn from the resample, without intervals: their standard
deviation says by what factor widths change, and the fraction of differences that are greater than the distance of an
interval's limit from its estimate says how the chance changes.

A resample's variance is on average (n - 1) / n of the pilot's, so it is spread out as the pilot is. The kurtosis of n
normal values is on average (n - 1) / (n + 1) of the true one, so that resamples vary too little: deviations (of the
logarithm of widths, of the normal quantile of chances) are stretched by sqrt((n + 1) / (n - 1)). They are taken both as
they are and mirrored, as the percentile and the basic bootstrap do, and the wider end is kept: neither holds its
level by itself. The Monte Carlo error of the plan's own studies is added.

How often the band holds the truth is studied by `trust.planning_band`, with pilots of 3, 5, 10 and 20 runs of five
tasks. With normal and two-point scores it does so about as often as it promises or more, and for the IQM with all laws
tried. That of a mean, where scores are log-normal or a run fails in 5 % of cases, is missed in 8 to 12 % instead of
5 %, mostly by a band of widths that is too low. A failure so rare that no run of the pilot has it is not foreseen.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.streams import stream_key

BAND_CONFIDENCE = 0.95
_REACH = ndtri(0.5 + 0.5 * BAND_CONFIDENCE)
_LEAST = 0.1
_EVENTS = 200


class Plan(NamedTuple):
    """What was predicted for studies of some size.

    widths, width_errors : float64[metrics], mean widths and their standard errors by simulation
    chances, chance_errors, reaches : float64[lifts, metrics], chances, their standard errors, and the mean distance of
        a difference from the limit that must pass 0
    """

    widths: Floats
    width_errors: Floats
    chances: Floats
    chance_errors: Floats
    reaches: Floats


def spread_out(column: Floats) -> Floats:
    """The scores, moved away from their mean so that their variance is not too small for a sample of as many runs."""
    return column.mean() + (column - column.mean()) * np.sqrt(column.size / (column.size - 1))


def resampled_pilots(columns: Sequence[Floats], pilots: int, seed: int) -> list[list[Floats]]:
    """Pilots resampled from the scores of each task, each spread out, as lists of float64[runs]."""
    drawn: list[list[Floats]] = [[] for _ in range(pilots)]
    for task, column in enumerate(columns):
        indices = np.empty(pilots * column.size + SPARE, np.uint32)
        draw_indices(stream_key(seed, "pilots", task), 0, column.size, pilots * column.size, indices)
        for pilot, rows in enumerate(indices[: pilots * column.size].reshape(pilots, column.size)):
            drawn[pilot].append(spread_out(column[rows]))
    return drawn


def pilot_band(
    plan: Plan,
    studies: Callable[[Sequence[Floats]], tuple[Floats, Floats]],
    columns: Sequence[Floats],
    pilots: Sequence[Sequence[Floats]],
) -> tuple[Floats, Floats]:
    """Limits of the widths and the chances that would be predicted if the pilot were all runs there are.

    Parameters
    ----------
    plan : predicted from the pilot
    studies : studies(columns) gives metrics of studies drawn from these scores, float64[n, metrics], and by how much a
        second study is better with each lift, float64[n, lifts, metrics]
    columns : the pilot's scores, spread out; pilots : resamples of them (`resampled_pilots`)

    Returns
    -------
    widths : float64[2, metrics], low and high; chances : float64[2, lifts, metrics]. A resample without any spread
    counts as if it had a tenth of the pilot's. Where the pilot itself has none, nothing can be said: a width has no
    upper limit (NaN), and a chance is between 0 and 1
    """
    values, gains = studies(columns)
    spread, quantile = values.std(axis=0), _passing(gains, plan.reaches)
    factors, shifts = [], []
    for pilot in pilots:
        drawn, gained = studies(pilot)
        ratio = drawn.std(axis=0) / np.where(spread > 0, spread, 1.0)
        factors.append(np.log(np.maximum(ratio, _LEAST)))
        shifts.append(_passing(gained, plan.reaches * ratio) - quantile)
    runs = float(np.mean([column.size for column in columns]))
    stretched = np.sqrt((runs + 1.0) / (runs - 1.0))
    relative = _REACH * plan.width_errors / np.where(plan.widths > 0, plan.widths, 1.0)
    widths = plan.widths * np.exp(_joined(stretched * _both_ways(np.array(factors)), np.array([-relative, relative])))
    middle, error = _normal_quantile(plan.chances), _REACH * plan.chance_errors
    noise = np.array([_normal_quantile(plan.chances - error), _normal_quantile(plan.chances + error)]) - middle
    ends = ndtr(middle + _joined(stretched * _both_ways(np.array(shifts)), noise))
    chances = np.array([np.minimum(ends[0], plan.chances), np.maximum(ends[1], plan.chances)])
    widths[:, spread == 0], chances[:, :, spread == 0] = [[0.0], [np.nan]], [[[0.0]], [[1.0]]]
    return widths, chances


def _joined(ends: Floats, noise: Floats) -> Floats:
    """Low and high end of a deviation, moved further out by those of an independent error of the simulation."""
    return np.array([-1.0, 1.0]).reshape(2, *[1] * (ends.ndim - 1)) * np.hypot(ends, noise)


def _passing(gains: Floats, reaches: Floats) -> Floats:
    """Normal quantile of the fraction of gains above the reach, float64[lifts, metrics]."""
    return _normal_quantile((gains > reaches).mean(axis=0))


def _normal_quantile(fraction: Floats) -> Floats:
    """Kept finite, as by half an event in 200."""
    return ndtri(np.clip(fraction, 0.5 / _EVENTS, 1.0 - 0.5 / _EVENTS))


def _both_ways(deviations: Floats) -> Floats:
    """Low and high end of the deviations and of their mirror images, float64[2, ...]."""
    tail = (1.0 - BAND_CONFIDENCE) / 2.0
    low, high = np.quantile(np.array(deviations), [tail, 1.0 - tail], axis=0)
    return np.array([np.minimum(low, -high), np.maximum(high, -low)])
