"""How many runs are needed: from a pilot of runs, what studies of other sizes would find.

A study of N runs a task is simulated by drawing N runs of each task from the pilot with replacement, and analysed as a
real one: with Student's interval of the stratified bootstrap. For the chance to detect a lift, a second study is drawn
whose scores are raised by the lift, and the interval of the difference (`comparison.differences`) is asked
whether it lies above 0 (below, for a metric that is better when lower).

This takes the pilot's runs for all the runs that there are. New runs must come from the same program and tasks, and
what the pilot did not see (a rare failure, say) is not foreseen; the spread of n runs is on average (n - 1) / n of the
true variance, for which the scores are moved away from their task's mean by sqrt(n / (n - 1)). A lift is taken to
multiply every score, so that it changes no run's luck; scores that are mostly negative, which it would take further
down, are refused.

The pilot is one of many, and with five runs a predicted width is easily off by a fifth: there is a band around widths
and chances. The pilot is resampled, each task's runs on their own, and what a plan from each resample would predict is
compared with what the plan from the pilot predicts. Simulating studies with intervals for each resample would cost a
hundred times as much as the plan. Instead the metrics of many studies are drawn from the resample, without intervals:
their standard deviation says by what factor widths change, and the fraction of differences that are greater than the
distance of an interval's limit from its estimate says how the chance changes.

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
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.differences import difference_errors
from surefoot.statistics.coverage.failure_rates import fraction_error
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.kernels import draw_indices
from surefoot.statistics.resampling.replicate_intervals import student_interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics, standard_errors
from surefoot.statistics.runs.samples import Scores, score_pool, task_columns
from surefoot.streams import stream_key

BAND_CONFIDENCE = 0.95
_REACH = ndtri(0.5 + 0.5 * BAND_CONFIDENCE)
_LEAST = 0.1
_EVENTS = 200


def lift_percent(x: Floats, y: Floats) -> Floats:
    """By how many percent x is above y: 100 (x / y - 1), of replicates, float64[any] each.

    Raises
    ------
    ValueError : y is not positive, and then a ratio says nothing
    """
    if not (y > 0).all():
        lowest = f"the lower of the two is {y.min():.4g} in some resample"
        raise HintedError("lift", lowest, "a lift needs positive values; take the difference")
    return 100.0 * (x / y - 1.0)


def raised(scores: Scores, lift: float) -> list[Floats]:
    """The scores of each task, float64[runs] each, raised by `lift` percent."""
    return [column * (1 + lift / 100) for column in task_columns(scores)]


def check_raised(scores: Scores, metrics: Sequence[str | Metric], lifts: Sequence[float]) -> None:
    """Whether raised scores are better: a lift multiplies, and takes negative scores further down.

    Parameters
    ----------
    scores : as in `replicate_metrics`
    lifts : in percent

    Raises
    ------
    ValueError : a metric becomes worse
    """
    lift = max(map(abs, lifts))
    named = [metric(one) for one in metrics]
    before, after = (metric_values(table, named) for table in (task_columns(scores), raised(scores, lift)))
    for name, old, new in zip(named, before, after, strict=True):
        if (new > old) if name.entry.lower_is_better else (new < old):
            raise HintedError(
                "lift",
                f"scores raised by {lift:g} % take {name} from {old:.4g} to {new:.4g}, which is worse",
                "a lift multiplies and needs positive scores: normalize them, such as by min_max or reference scores",
            )


class Plan(NamedTuple):
    """What was predicted for studies of some size.

    widths, width_errors : float64[metrics], mean widths and their standard errors by simulation
    narrow, wide : float64[metrics], 10 % and 90 % quantiles of the widths
    chances, chance_errors, reaches : float64[lifts, metrics], chances, their standard errors, and the mean distance of
        a difference from the limit that must pass 0
    """

    widths: Floats
    width_errors: Floats
    narrow: Floats
    wide: Floats
    chances: Floats
    chance_errors: Floats
    reaches: Floats


def spread_out(column: Floats) -> Floats:
    """The scores, moved away from their mean so that their variance is not too small for a sample of as many runs."""
    return column.mean() + (column - column.mean()) * np.sqrt(column.size / (column.size - 1))


def resampled_pilots(columns: Sequence[Floats], pilots: int, seed: int) -> list[list[Floats]]:
    """Pilots resampled from the scores of each task, each spread out, as lists of float64[runs]."""
    by_task = []
    for task, column in enumerate(columns):
        indices = draw_indices(stream_key(seed, "pilots", task), 0, column.size, pilots * column.size)
        by_task.append([spread_out(column[rows]) for rows in indices.reshape(pilots, column.size)])
    return [list(pilot) for pilot in zip(*by_task, strict=True)]


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
    spread, quantile = values.std(axis=0), _normal_quantile((gains > plan.reaches).mean(axis=0))
    factors, shifts = [], []
    for pilot in pilots:
        drawn, gained = studies(pilot)
        ratio = drawn.std(axis=0) / np.where(spread > 0, spread, 1.0)
        factors.append(np.log(np.maximum(ratio, _LEAST)))
        shifts.append(_normal_quantile((gained > plan.reaches * ratio).mean(axis=0)) - quantile)
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


def _normal_quantile(fraction: Floats) -> Floats:
    """Kept finite, as by half an event in 200."""
    return ndtri(np.clip(fraction, 0.5 / _EVENTS, 1.0 - 0.5 / _EVENTS))


def _both_ways(deviations: Floats) -> Floats:
    """Low and high end of the deviations and of their mirror images, float64[2, ...]."""
    tail = (1.0 - BAND_CONFIDENCE) / 2.0
    low, high = np.quantile(np.array(deviations), [tail, 1.0 - tail], axis=0)
    return np.array([np.minimum(low, -high), np.maximum(high, -low)])


_STUDY_METRICS = 200


def plan(
    pilot: Scores,
    metrics: Sequence[str | Metric] = ("iqm", "median"),
    sizes: Sequence[int] = (3, 5, 10, 20, 50),
    lifts: Sequence[float] = (0.0, 10.0, 25.0),
    confidence: float = 0.95,
    studies: int = 200,
    replicates: int = 500,
    seed: int = 0,
    pilots: int = 100,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Widths of intervals and chances to detect lifts by number of runs.

    Parameters
    ----------
    pilot : scores of one algorithm, float64[runs, tasks] or one array a task, at least two runs of each
    sizes : numbers of runs of each task
    lifts : in percent of the score, above -100; 0 shows how often a difference is found where there is none
    studies : how many are simulated of each size; replicates : resamples of each
    pilots : resamples of the pilot, for the band; each costs as much as a study or two

    Returns
    -------
    widths : columns runs, metric, width (mean over the studies), narrow, wide (its 10 % and 90 % quantiles over the
        studies), low, high (95 % band of the mean width, for the pilot's own uncertainty)
    chances : columns runs, metric, lift_percent, chance, standard_error (of the simulation), low, high (likewise)

    Raises
    ------
    ValueError : see `replicate_metrics`; negative scores, which a lift would make worse
    """
    pool, named = score_pool(pilot), [metric(one) for one in metrics]
    check_raised(pool.task_scores(), named, lifts)
    columns = [spread_out(column) for column in pool.task_scores()]
    others = resampled_pilots(columns, pilots, seed)
    widths, chances = [], []
    for size in sizes:
        predicted = _predicted(columns, named, size, lifts, confidence, studies, replicates, seed)
        drawn = partial(_study_metrics, metrics=named, size=size, lifts=lifts, seed=seed)
        width_band, chance_band = pilot_band(predicted, drawn, columns, others)
        for k, chosen in enumerate(named):
            about = (predicted.widths[k], predicted.narrow[k], predicted.wide[k])
            widths.append((size, str(chosen), *about, *width_band[:, k]))
            for i, lift in enumerate(lifts):
                row = (predicted.chances[i, k], predicted.chance_errors[i, k])
                chances.append((size, str(chosen), lift, *row, *chance_band[:, i, k]))
    return (
        pd.DataFrame(widths, columns=["runs", "metric", "width", "narrow", "wide", "low", "high"]),
        pd.DataFrame(chances, columns=["runs", "metric", "lift_percent", "chance", "standard_error", "low", "high"]),
    )


def _analysed(
    scores: Sequence[Floats], metrics: Sequence[Metric], replicates: int, seed: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """The values of one study, their standard errors as the interval `student` has them, and degrees of freedom,
    float64[metrics] each; and the replicates, float64[replicates, metrics]."""
    drawn = replicate_metrics(scores, metrics, replicates, seed)
    errors, degrees = standard_errors(scores, metrics, "runs", drawn)
    return metric_values(scores, metrics), errors, degrees, drawn


def _predicted(
    columns: Sequence[Floats],
    metrics: Sequence[Metric],
    size: int,
    lifts: Sequence[float],
    confidence: float,
    studies: int,
    replicates: int,
    seed: int,
) -> Plan:
    """What this many simulated studies of a size found."""
    shape = (studies, len(lifts), len(metrics))
    widths, detected, reaches = np.empty((studies, len(metrics))), np.empty(shape, bool), np.empty(shape)
    signs = np.where([one.entry.lower_is_better for one in metrics], -1.0, 1.0)
    homogeneous = all(one.entry.homogeneous for one in metrics)
    side = 0.5 + 0.5 * confidence
    for study in range(studies):
        # Not by size: a study of more runs has those of a smaller one, so that sizes differ by less chance.
        keys = [int(stream_key(seed, "plan", study, of)[0]) for of in (0, 1)]
        low, high = (_drawn(columns, size, key) for key in keys)
        values, errors, degrees, drawn = _analysed(low, metrics, replicates, keys[0])
        limits = student_interval(values, errors, degrees, confidence, drawn)
        widths[study] = limits.high - limits.low
        others = _analysed(high, metrics, replicates, keys[1]) if homogeneous else None
        for i, lift in enumerate(lifts):
            raised_by = 1.0 + lift / 100.0
            if others is None:
                lifted, lifted_errors, freedom, _ = _analysed(raised(high, lift), metrics, replicates, keys[1])
            else:
                lifted, lifted_errors, freedom = others[0] * raised_by, others[1] * raised_by, others[2]
            error, together = difference_errors(errors, lifted_errors, degrees, freedom)
            reaches[study, i] = stdtrit(together, side) * error
            detected[study, i] = signs * (lifted - values) > reaches[study, i]
    chances = detected.mean(axis=0)
    narrow, wide = np.quantile(widths, [0.1, 0.9], axis=0)
    width_errors, chance_errors = widths.std(axis=0) / np.sqrt(studies), fraction_error(chances, studies)
    return Plan(widths.mean(axis=0), width_errors, narrow, wide, chances, chance_errors, reaches.mean(axis=0))


def _study_metrics(
    columns: Sequence[Floats], metrics: Sequence[Metric], size: int, lifts: Sequence[float], seed: int
) -> tuple[Floats, Floats]:
    """Metrics of many studies, float64[n, metrics], and by how much a second one is better with each lift,
    float64[n, lifts, metrics]."""
    first, second = (
        replicate_metrics(columns, metrics, _STUDY_METRICS, seed, name, draws=size) for name in ("first", "second")
    )
    marked = not all(one.entry.homogeneous for one in metrics)
    gains = []
    for lift in lifts:
        lifted = second * (1 + lift / 100)
        if marked:
            lifted = replicate_metrics(raised(columns, lift), metrics, _STUDY_METRICS, seed, "second", draws=size)
        gains.append(lifted - first)
    signs = np.where([one.entry.lower_is_better for one in metrics], -1.0, 1.0)
    return first, signs * np.array(gains).swapaxes(0, 1)


def _drawn(columns: Sequence[Floats], size: int, seed: int) -> list[Floats]:
    """A study: `size` runs of each task; a larger one begins with the same runs.

    Tasks with equally many runs share a stream, which gives the first run of each of them, then the second.
    """
    drawn, runs = list(columns), np.array([column.size for column in columns])
    for pilot in set(runs.tolist()):
        tasks = np.flatnonzero(runs == pilot).tolist()
        indices = draw_indices(stream_key(seed, "plan", pilot), 0, pilot, size * len(tasks))
        for task, chosen in zip(tasks, indices.reshape(size, len(tasks)).T, strict=True):
            drawn[task] = columns[task][chosen]
    return drawn
