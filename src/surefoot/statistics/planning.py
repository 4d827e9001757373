"""How many runs are needed: from a pilot of runs, what studies of other sizes would find.

A study of N runs a task is simulated by drawing N runs of each task from the pilot with replacement, and analysed as a
real one: with a percentile interval by the stratified bootstrap. For the chance to detect a lift, a second study is
drawn whose scores are raised by the lift, and the interval of the difference is asked whether it lies above 0 (below,
for a metric that is better when lower).

This takes the pilot's runs for all the runs that there are. New runs must come from the same program and tasks, and
what the pilot did not see (a rare failure, say) is not foreseen; the spread of n runs is on average (n - 1) / n of the
true variance, for which the scores are moved away from their task's mean by sqrt(n / (n - 1)). A lift is taken to
multiply every score, so that it changes no run's luck; scores that are mostly negative, which it would take further
down, are refused.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from surefoot.statistics.comparisons import check_raised, raised
from surefoot.statistics.draws import SPARE, draw_indices
from surefoot.statistics.interval_methods import interval
from surefoot.statistics.metrics import Metric, metric
from surefoot.statistics.monte_carlo import fraction_error
from surefoot.statistics.score_pool import Scores, score_pool
from surefoot.statistics.stratified_bootstrap import replicate_metrics
from surefoot.streams import stream_key

SIZES = (3, 5, 10, 20, 50)
LIFTS = (0.0, 10.0, 25.0)
_WITH_A_MARK = ("optimality_gap", "probability_above")
"""The metrics that are not multiplied by what all scores are multiplied by."""


def plan(
    pilot: Scores,
    metrics: Sequence[str | Metric] = ("iqm", "median"),
    sizes: Sequence[int] = SIZES,
    lifts: Sequence[float] = LIFTS,
    confidence: float = 0.95,
    studies: int = 200,
    replicates: int = 500,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Widths of intervals and chances to detect lifts by number of runs.

    Parameters
    ----------
    pilot : scores of one algorithm, float64[runs, tasks] or one array a task, at least two runs of each
    sizes : numbers of runs of each task
    lifts : in percent of the score, above -100; 0 shows how often a difference is found where there is none
    studies : how many are simulated of each size; replicates : resamples of each

    Returns
    -------
    widths : columns runs, metric, width (mean over the studies), narrow, wide (its 10 % and 90 % quantiles)
    chances : columns runs, metric, lift_percent, chance, standard_error

    Raises
    ------
    ValueError : see `replicate_metrics`; a task with a single run; a size below 2; no study; a lift of -100 or below;
        negative scores, which a lift would make worse
    """
    pool, metrics = score_pool(pilot), [metric(one) for one in metrics]
    if pool.sizes.min() < 2:
        raise ValueError("plan: a task of the pilot has one run. Hint: its spread needs at least two, better five.")
    if min(sizes) < 2 or studies < 1:
        raise ValueError(f"plan: sizes {list(sizes)}, {studies} studies. Hint: at least 2 runs and 1 study.")
    if min(lifts) <= -100:
        raise ValueError(f"plan: a lift of {min(lifts):g} %. Hint: above -100, such as 10.")
    check_raised(pool.task_scores(), metrics, lifts)
    columns = [_spread_out(column) for column in pool.task_scores()]
    widths, chances = [], []
    for size in sizes:
        found = _studies(columns, metrics, size, lifts, confidence, studies, replicates, seed)
        for k, chosen in enumerate(metrics):
            width = found["widths"][:, k]
            narrow, wide = np.quantile(width, [0.1, 0.9])
            widths.append((size, str(chosen), width.mean(), narrow, wide))
            for lift, chance in zip(lifts, found["detected"][:, :, k].mean(axis=0), strict=True):
                chances.append((size, str(chosen), lift, chance, fraction_error(chance, studies)))
    return (
        pd.DataFrame(widths, columns=["runs", "metric", "width", "narrow", "wide"]),
        pd.DataFrame(chances, columns=["runs", "metric", "lift_percent", "chance", "standard_error"]),
    )


def runs_needed(chances: pd.DataFrame, metric: str, lift_percent: float, chance: float = 0.8) -> int | None:
    """The smallest simulated number of runs that detects the lift with at least this chance; None if none does."""
    rows = chances[(chances["metric"] == metric) & (chances["lift_percent"] == lift_percent)]
    if len(rows) == 0:
        raise ValueError(
            f"plan: {metric} with a lift of {lift_percent:g} % was not simulated. Hint: metrics "
            f"{', '.join(dict.fromkeys(chances['metric']))}; lifts {sorted(set(chances['lift_percent']))}."
        )
    enough = rows.loc[rows["chance"] >= chance, "runs"]
    return int(enough.min()) if len(enough) else None


def _spread_out(column):
    """The scores, moved away from their mean so that their variance is not too small for a sample of as many runs."""
    return column.mean() + (column - column.mean()) * np.sqrt(column.size / (column.size - 1))


def _studies(columns, metrics, size, lifts, confidence, studies, replicates, seed):
    """widths, float64[studies, metrics], and detected, bool[studies, lifts, metrics]."""
    widths, detected = np.empty((studies, len(metrics))), np.empty((studies, len(lifts), len(metrics)), bool)
    lower_is_better = np.array([one.lower_is_better for one in metrics])
    for study in range(studies):
        keys = [int(stream_key(seed, "plan", size, study, side)[0]) for side in (0, 1)]
        low, high = (_drawn(columns, size, key) for key in keys)
        plain = replicate_metrics(low, metrics, replicates, keys[0])
        limits = interval(plain, None, "percentile", confidence)
        widths[study] = limits.high - limits.low
        second = replicate_metrics(high, metrics, replicates, keys[1])
        for i, lift in enumerate(lifts):
            lifted = second * (1 + lift / 100)
            if any(one.name in _WITH_A_MARK for one in metrics):
                lifted = replicate_metrics(raised(high, lift), metrics, replicates, keys[1])
            limits = interval(lifted - plain, None, "percentile", confidence)
            detected[study, i] = np.where(lower_is_better, limits.high < 0, limits.low > 0)
    return {"widths": widths, "detected": detected}


def _drawn(columns, size, seed):
    """A study: `size` runs of each task."""
    indices, drawn = np.empty(size + SPARE, np.uint32), []
    for task, column in enumerate(columns):
        draw_indices(stream_key(seed, "plan", task), 0, column.size, size, indices)
        drawn.append(column[indices[:size]])
    return drawn
