"""Predict from pilot runs how wide intervals would be, and which improvements would be detected, with more runs.

A study of N runs per task is simulated by drawing N runs of each task from the pilot with replacement, and analysed
like a real one, with Student's interval from the stratified bootstrap. A lift is an improvement by a percentage. To
predict the chance of detecting it, a second study is drawn with scores raised by the lift. The lift is detected if the
interval of the difference (`comparison.metric_differences`) lies above 0 (below 0 if lower is better).

This treats the pilot's runs as the whole population. New runs must come from the same program and tasks, and events
that do not occur in the pilot (such as a rare failure) cannot be predicted. The variance of n runs is on average (n -
1) / n times the true variance, so distances of scores from their task's mean are multiplied by sqrt(n / (n - 1)). A
lift multiplies every score, so that relative differences between runs do not change; it would make negative scores
worse, so metrics that would become worse are rejected.

Another pilot would give another plan: with five runs, a predicted width is easily wrong by a fifth. So widths and
chances have a band. The pilot is resampled, separately for each task, and the predictions from the resamples are
compared with the prediction from the pilot. Simulating studies with intervals for each resample would cost a hundred
times as much as the plan. Instead, the metrics of many studies are drawn from the resample, without intervals. Their
standard deviation shows by what factor widths change, and the fraction of differences greater than the half-width of an
interval shows how the chance changes.

A resample's variance is on average (n - 1) / n times the pilot's, so its scores are spread out like the pilot's. The
kurtosis of n normal values is on average (n - 1) / (n + 1) times the true one, so resamples vary too little: deviations
(of the logarithm of widths, and of the normal quantile of chances) are multiplied by sqrt((n + 1) / (n - 1)). Both the
deviations and their mirror images are used, as in the percentile and the basic bootstrap, and the wider one is used at
each end, since neither keeps its level by itself. The Monte Carlo error of the simulated studies is added.

The subject `planning_band` of `surefoot.validation` studies how often the band covers the truth, with pilots of 3, 5,
10 and 20 runs of five tasks. With normal and two-point scores, and for the IQM with all distributions tried, coverage
is about nominal or higher. For the mean, if scores are log-normal or a run fails in 5 % of cases, the error rate is 8
to 12 % instead of 5 %, mostly because the band of widths is too low. Failures too rare to occur in the pilot are not
predicted.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.errors import HintedError
from surefoot.progress import followed
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.metric_differences import difference_errors
from surefoot.statistics.coverage.failure_rates import fraction_error
from surefoot.statistics.metrics.metric_catalogue import Metric, metric
from surefoot.statistics.resampling.array_draws import draw_few_rows
from surefoot.statistics.resampling.replicate_intervals import student_interval
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.resampling.simulated_studies import study_metrics, study_replicates
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, task_keys
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool, task_columns
from surefoot.streams import stream_key

BAND_CONFIDENCE = 0.95
_REACH = ndtri(0.5 + 0.5 * BAND_CONFIDENCE)
_LEAST = 0.1
_EVENTS = 200


def lift_percent(x: Floats, y: Floats) -> Floats:
    """Return the lift of x over y in percent, 100 (x / y - 1), for arrays of replicates.

    Raises
    ------
    ValueError : if an element of y is not positive
    """
    if not (y > 0).all():
        lowest = f"the score to divide by is {y.min():.4g} in some resample"
        raise HintedError("lift", lowest, "a lift requires positive values; use differences instead")
    return 100.0 * (x / y - 1.0)


def raised(scores: Scores, lift: float) -> list[Floats]:
    """Return the scores of each task, float64[runs] each, raised by `lift` percent."""
    return [column * (1 + lift / 100) for column in task_columns(scores)]


def check_raised(scores: Scores, metrics: Sequence[str | Metric], lifts: Sequence[float]) -> None:
    """Raise a ValueError if raising scores by a lift makes a metric worse, as it does for negative scores.

    Parameters
    ----------
    scores : as in `replicate_metrics`
    lifts : in percent; only an increase by the largest absolute lift is checked
    """
    lift = max(map(abs, lifts))
    named = [metric(one) for one in metrics]
    before, after = (metric_values(table, named) for table in (task_columns(scores), raised(scores, lift)))
    for name, old, new in zip(named, before, after, strict=True):
        if (new > old) if name.entry.lower_is_better else (new < old):
            raise HintedError(
                "lift",
                f"raising scores by {lift:g} % changes {name} from {old:.4g} to {new:.4g}, which is worse",
                "a lift requires positive scores: normalize them, for example with min_max or reference scores",
            )


class Plan(NamedTuple):
    """Predictions for studies of one size.

    widths, width_errors : float64[metrics], mean widths of intervals, and standard errors of these means
    narrow, wide : float64[metrics], 10 % and 90 % quantiles of the widths
    chances, chance_errors : float64[lifts, metrics], probabilities of detecting lifts, and their standard errors
    reaches : float64[lifts, metrics], mean half-widths of the intervals of differences
    """

    widths: Floats
    width_errors: Floats
    narrow: Floats
    wide: Floats
    chances: Floats
    chance_errors: Floats
    reaches: Floats


def spread_out(column: Floats) -> Floats:
    """Move scores away from their mean, so that draws from them have the unbiased variance of the sample."""
    return column.mean() + (column - column.mean()) * np.sqrt(column.size / (column.size - 1))


def resampled_pilots(columns: Sequence[Floats], pilots: int, seed: int) -> list[list[Floats]]:
    """Resample a pilot, separately for each task, and apply `spread_out` to the scores of each task.

    Returns
    -------
    list of resamples, each with float64[runs] for each task
    """
    by_task = []
    for task, column in enumerate(columns):
        indices = draw_indices(stream_key(seed, "pilots", task), 0, column.size, pilots * column.size)
        by_task.append([spread_out(column[rows]) for rows in indices.reshape(pilots, column.size)])
    return [list(pilot) for pilot in zip(*by_task, strict=True)]


def pilot_band(
    plan: Plan,
    values: Floats,
    gains: Floats,
    runs: float,
) -> tuple[Floats, Floats]:
    """Return limits of the predicted widths and chances that allow for the error of the pilot.

    A resample with less than a tenth of the standard deviation of the pilot counts as if it had a tenth. If the metrics
    do not vary in the pilot, the width has no upper limit (NaN), and the chance has the limits 0 and 1.

    Parameters
    ----------
    plan : prediction from the pilot
    values, gains : result of `_study_metrics` for the pilot, after `spread_out`, and for the results of
        `resampled_pilots`
    runs : mean number of runs of a task in the pilot

    Returns
    -------
    widths : float64[2, metrics], lower and upper limits of the widths
    chances : float64[2, lifts, metrics], lower and upper limits of the chances
    """
    spread = values[0].std(axis=0)
    quantile = _normal_quantile((gains[0] > plan.reaches).mean(axis=0))
    factors = []
    shifts = []
    for drawn, gained in zip(values[1:], gains[1:], strict=True):
        ratio = drawn.std(axis=0) / np.where(spread > 0, spread, 1.0)
        factors.append(np.log(np.maximum(ratio, _LEAST)))
        shifts.append(_normal_quantile((gained > plan.reaches * ratio).mean(axis=0)) - quantile)
    stretched = np.sqrt((runs + 1.0) / (runs - 1.0))
    relative = _REACH * plan.width_errors / np.where(plan.widths > 0, plan.widths, 1.0)
    widths = plan.widths * np.exp(_joined(stretched * _both_ways(np.array(factors)), np.array([-relative, relative])))
    middle = _normal_quantile(plan.chances)
    error = _REACH * plan.chance_errors
    noise = np.array([_normal_quantile(plan.chances - error), _normal_quantile(plan.chances + error)]) - middle
    ends = ndtr(middle + _joined(stretched * _both_ways(np.array(shifts)), noise))
    chances = np.array([np.minimum(ends[0], plan.chances), np.maximum(ends[1], plan.chances)])
    widths[:, spread == 0] = [[0.0], [np.nan]]
    chances[:, :, spread == 0] = [[[0.0]], [[1.0]]]
    return widths, chances


def _joined(ends: Floats, noise: Floats) -> Floats:
    """Widen the limits (low, high) of a deviation by an independent simulation error."""
    return np.array([-1.0, 1.0]).reshape(2, *[1] * (ends.ndim - 1)) * np.hypot(ends, noise)


def _normal_quantile(fraction: Floats) -> Floats:
    """Return the normal quantiles of fractions, which are first clipped so that the quantiles are finite."""
    return ndtri(np.clip(fraction, 0.5 / _EVENTS, 1.0 - 0.5 / _EVENTS))


def _both_ways(deviations: Floats) -> Floats:
    """Return limits (low, high) that contain 95 % of the deviations and of the negated deviations, float64[2, ...]."""
    tail = (1.0 - BAND_CONFIDENCE) / 2.0
    low, high = np.quantile(np.array(deviations), [tail, 1.0 - tail], axis=0)
    return np.array([np.minimum(low, -high), np.maximum(high, -low)])


_STUDY_METRICS = 200


def plan(
    pilot: Scores,
    metrics: Sequence[str | Metric] = ("iqm", "median"),
    sizes: Sequence[int] = (3, 5, 10, 20, 50),
    lifts: Sequence[float] = (0.0, 10.0, 25.0),
    confidence_level: float = 0.95,
    studies: int = 200,
    n_resamples: int = 500,
    seed: int = 0,
    pilots: int = 100,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Predict the widths of intervals and the power to detect each lift (improvement in percent), by number of runs.

    Parameters
    ----------
    pilot : scores of one algorithm, float64[runs, tasks] or one array per task, with at least two runs of each task
    sizes : numbers of runs per task to predict for
    lifts : lifts in percent, above -100; 0 shows how often an improvement is found although there is none
    studies : number of simulated studies of each size
    n_resamples : number of resamples of each study
    pilots : number of resamples of the pilot, for the band; each costs as much as a study or two

    Returns
    -------
    widths : columns runs, metric, width (mean over the studies), narrow, wide (10 % and 90 % quantiles over the
        studies), low, high (95 % band of the mean width, which allows for the error of the pilot)
    chances : columns runs, metric, lift_percent, chance, standard_error (of the simulation), low, high (as for widths)

    Raises
    ------
    ValueError : see `replicate_metrics`; or if scores are negative, so that a lift would make them worse
    """
    pool = score_pool(pilot)
    named = [metric(one) for one in metrics]
    check_raised(pool.task_scores(), named, lifts)
    columns = [spread_out(column) for column in pool.task_scores()]
    pilot_and_resamples = [score_pool(one) for one in (columns, *resampled_pilots(columns, pilots, seed))]
    keys = [task_keys(range(len(columns)), seed, name, "runs") for name in ("first", "second")]
    simulated = simulated_runs(columns, studies, max(sizes), seed)
    widths = []
    chances = []
    for size in followed(sizes):
        predicted = _predicted(simulated, named, size, lifts, confidence_level, n_resamples)
        drawn = _study_metrics(pilot_and_resamples, named, size, lifts, keys)
        width_band, chance_band = pilot_band(predicted, *drawn, float(pool.sizes.mean()))
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


class SimulatedRuns(NamedTuple):
    """Runs of S simulated studies of two algorithms.

    scores : float64[2, S, M, N], N runs of M tasks; smaller studies use the first of the N runs
    keys : uint64[2, S, M, 4], keys of the random streams of resamples; see `resampling_keys`
    """

    scores: Floats
    keys: npt.NDArray[np.uint64]


def simulated_runs(columns: Sequence[Floats], studies: int, runs: int, seed: int) -> SimulatedRuns:
    """Draw studies with `runs` runs of each task from the scores of a pilot, float64[runs] for each task.

    Tasks with the same number of runs in the pilot share a random stream, which draws the first run of each of them,
    then the second runs, and so on. So a larger study begins with the same runs.
    """
    tasks = len(columns)
    scores = np.empty((2, studies, tasks, runs))
    keys = np.empty((2, studies, tasks, 4), np.uint64)
    sizes = np.array([column.size for column in columns])
    for of in (0, 1):
        seeds = [int(stream_key(seed, "plan", study, of)[0]) for study in range(studies)]
        keys[of] = [task_keys(range(tasks), study_seed, "", "runs") for study_seed in seeds]
        for pilot in set(sizes.tolist()):
            alike = np.flatnonzero(sizes == pilot)
            streams = np.array([stream_key(study_seed, "plan", pilot) for study_seed in seeds])
            indices = draw_few_rows(streams, 0, pilot, runs * len(alike)).reshape(studies, runs, len(alike))
            for task, chosen in zip(alike.tolist(), np.moveaxis(indices, 2, 0), strict=True):
                scores[of, :, task] = columns[task][chosen]
    return SimulatedRuns(scores, keys)


def _predicted(
    simulated: SimulatedRuns,
    metrics: Sequence[Metric],
    size: int,
    lifts: Sequence[float],
    confidence_level: float,
    n_resamples: int,
) -> Plan:
    """Predict widths and chances for studies with `size` runs per task, from simulated runs."""
    scores = simulated.scores[..., :size]
    first = study_metrics(scores[0], metrics, simulated.keys[0], n_resamples)
    limits = student_interval(first.values, first.errors, first.degrees, confidence_level, first.replicates)
    widths = limits.high - limits.low
    studies = len(widths)
    homogeneous = all(one.entry.homogeneous for one in metrics)
    second = study_metrics(scores[1], metrics, simulated.keys[1], n_resamples) if homogeneous else None
    signs = np.where([one.entry.lower_is_better for one in metrics], -1.0, 1.0)
    side = 0.5 + 0.5 * confidence_level
    reaches = np.empty((studies, len(lifts), len(metrics)))
    detected = np.empty(reaches.shape, bool)
    for i, lift in enumerate(lifts):
        raised_by = 1.0 + lift / 100.0
        if second is None:
            lifted = study_metrics(raised_by * scores[1], metrics, simulated.keys[1], n_resamples)
        else:
            lifted = second._replace(values=second.values * raised_by, errors=second.errors * raised_by)
        error, together = difference_errors(first.errors, lifted.errors, first.degrees, lifted.degrees)
        reaches[:, i] = stdtrit(together, side) * error
        detected[:, i] = signs * (lifted.values - first.values) > reaches[:, i]
    chances = detected.mean(axis=0)
    narrow, wide = np.quantile(widths, [0.1, 0.9], axis=0)
    width_errors = widths.std(axis=0) / np.sqrt(studies)
    chance_errors = fraction_error(chances, studies)
    return Plan(widths.mean(axis=0), width_errors, narrow, wide, chances, chance_errors, reaches.mean(axis=0))


def _study_metrics(
    pools: Sequence[ScorePool],
    metrics: Sequence[Metric],
    size: int,
    lifts: Sequence[float],
    keys: Sequence[npt.NDArray[np.uint64]],
) -> tuple[Floats, Floats]:
    """Draw pairs of studies from each of several pools, and compute their metrics.

    Parameters
    ----------
    pools : with the same numbers of runs, from which the same runs are drawn
    size : number of runs per task
    keys : keys of the random streams of the first and of the second studies; see `resampling_keys`

    Returns
    -------
    metrics : float64[pools, n, metrics], metrics of the first studies
    gains : float64[pools, n, lifts, metrics], how much better the second study is if its scores are raised by each lift
    """
    draws = np.full(pools[0].sizes.size, size, np.int64)

    def drawn(pools: Sequence[ScorePool], key: npt.NDArray[np.uint64]) -> Floats:
        return study_replicates(pools, metrics, draws, key[None], _STUDY_METRICS)

    first, second = (drawn(pools, key) for key in keys)
    homogeneous = all(one.entry.homogeneous for one in metrics)
    gains = []
    for lift in lifts:
        lifted = second * (1 + lift / 100)
        if not homogeneous:
            lifted = drawn([score_pool(raised(pool.task_scores(), lift)) for pool in pools], keys[1])
        gains.append(lifted - first)
    signs = np.where([one.entry.lower_is_better for one in metrics], -1.0, 1.0)
    return first, signs * np.stack(gains, axis=2)
