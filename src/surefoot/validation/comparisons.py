"""Error rates and power of comparisons of algorithms and of models.

multiple_comparisons : tasks are fixed, and all algorithms of a case have the same distribution from `simulated_scores`.
    Three patterns of true differences are added to the same noise: all algorithms are equal; one is better than all
    others; or half of them are better than the other half. Algorithms that differ do so by three standard errors of a
    difference, so that the power is between 0 and 1 for any number of runs. The targets are

    best : fails if the best algorithm (the first in case of ties) is not tied with the best, or if any of Hsu's
        intervals misses the true difference from the best of the others; the power is the fraction of the worse
        algorithms that are shown to be worse
    all pairs : fails if a pair of equal algorithms is separated, a pair is separated in the wrong direction, or any
        simultaneous interval misses; the power is the fraction of the differing pairs that are separated

    For comparison, each row also has the failures and the power of Bonferroni intervals for all pairs.
evaluation_scores : limits of the mean score of a model over items, and limits of its difference from a second model on
    the same items, by number of items and clusters. The success probability of an item is drawn from a beta
    distribution with the mean of the case; half of the items of a cluster have the same probability. Unequal sizes
    grow by a third from one cluster to the next, from 2 to 47, and start again after twelve clusters. The method
    "clustered" is that of the question `evaluation_scores`, and "standard errors" is the mean plus and minus 1.96 of
    Miller's clustered standard errors. The second model is worse by .08 on average, with rates at the same quantiles of
    another beta distribution. The method "paired" is that of the question `multiple_comparisons` for random tasks, and
    "paired t" is the t test over items.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.comparison.metric_differences import (
    Pairs,
    paired_rate_pairs,
    paired_task_pairs,
    rate_pairs,
    student_pairs,
)
from surefoot.statistics.comparison.simultaneous_comparisons import (
    Adjustment,
    all_pairs,
    best_limits,
    control_levels,
    joint_adjustment,
    joint_tails,
    simultaneous,
)
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Study, failure_table, usual
from surefoot.statistics.coverage.simulated_scores import scores_of, uniform_numbers
from surefoot.statistics.intervals.rate_limits import cluster_remark, item_mean
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import stream_key

_COMPARED = "multiple comparisons"
_PATTERNS = ("equal", "one better", "two clusters")
_METRICS = ["iqm", "mean"]
_STEP = 3.0
_PILOTS = 200
_ROUNDING = 1e-12
_LAWS = ("alike", "skewed", "failures", "tied", "two_point", "shared")
_LUCK = 0.5
"""Correlation of the scores of a run on different tasks, for the distribution "shared".

Its intervals treat each run as one unit that covers all tasks.
"""
_RATES = (0.9, 0.5)
"""Success rates of better and of worse algorithms, for outcomes of 0 and 1."""


class _Conclusions(NamedTuple):
    """Conclusions of a method, and of Bonferroni's intervals, from one data set.

    wrong, wrong_bonferroni : True if any conclusion is wrong
    power, power_bonferroni : fraction of the true differences that are detected; NaN if all algorithms are equal
    """

    method: str
    wrong: bool
    power: float
    wrong_bonferroni: bool
    power_bonferroni: float


_COMPARISON_CELLS = [
    {"name": f"{count} {law}, {runs} runs of {tasks}", "law": law, "count": count, "runs": runs, "tasks": tasks}
    for law in _LAWS
    for tasks in ((5, 26) if law == "shared" else (1, 5, 26))
    for runs in (2, 3, 5, 10, 30)
    for count in (3, 5, 11)
]
"""2 to 30 runs on 1, 5 and 26 tasks; 3, 5 and 11 algorithms; six distributions."""


def _cover_comparisons(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of each target, with `n_resamples` bootstrap resamples and joint draws.

    Additional columns: power, power_bonferroni (NaN if all are equal) and failures_bonferroni.
    """
    answers: list[dict[str, Any]] = []
    steps = {} if cell["law"] == "two_point" else {metric: _step(cell, metric, seed) for metric in _METRICS}
    for number in range(datasets):
        key = int(stream_key(seed, "trust", _COMPARED, cell["name"], number)[0] % 2**31)
        if steps:
            answers += _by_student(cell, _samples(cell, seed, "", number), steps, n_resamples, key)
        else:
            answers += _by_rates(cell, seed, number)
    tables = []
    for (metric, pattern, method), rows in pd.DataFrame(answers).groupby(["target", "pattern", "method"], sort=False):
        remark = usual(rows["remark"].tolist())
        row = {"method": method, "target": metric, "failures": int(rows["wrong"].sum())}
        row |= {"recommended": not remark, "remark": remark}
        row |= {name: rows[name].to_numpy().mean() for name in ("power", "power_bonferroni")}
        row |= {"failures_bonferroni": int(rows["wrong_bonferroni"].sum())}
        of_pattern = cell | {"name": f"{cell['name']}, {pattern}"}
        about = {"data": f"{cell['law']}, {pattern}", "algorithms": cell["count"]}
        tables.append(failure_table(_COMPARED, of_pattern, datasets, [row], **about))
    return pd.concat(tables, ignore_index=True)


def _truth(count: int, pattern: str) -> Floats:
    """Return the true values of the algorithms, in units of `_step`, float64[count]; better algorithms come first."""
    better = {"equal": 0, "one better": 1, "two clusters": count // 2}[pattern]
    return (np.arange(count) < better).astype(np.float64)


def _samples(cell: dict[str, Any], seed: int, part: str, number: int) -> Floats:
    """Draw scores of equal algorithms, float64[count, runs, tasks]; for "two_point", uniform variates.

    part : name of the random stream
    """
    shape = (cell["count"], cell["runs"], cell["tasks"] + (cell["law"] == "shared"))
    uniforms = uniform_numbers(shape, seed, f"{_COMPARED}/{cell['name']}/{part}", number)
    if cell["law"] == "shared":
        noise = scores_of("alike", uniforms)
        return np.asarray(np.sqrt(_LUCK) * noise[..., :1] + np.sqrt(1.0 - _LUCK) * noise[..., 1:])
    return uniforms if cell["law"] == "two_point" else scores_of(cell["law"], uniforms)


def _step(cell: dict[str, Any], metric: str, seed: int) -> float:
    """Return the difference between a better and a worse algorithm: three standard errors, from pilot data sets."""
    pilots = [metric_values(_samples(cell, seed, "pilot", number)[0], [metric])[0] for number in range(_PILOTS)]
    return float(_STEP * np.sqrt(2.0) * np.std(pilots))


def _by_rates(cell: dict[str, Any], seed: int, number: int) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    for pattern in _PATTERNS:
        rates = np.where(_truth(cell["count"], pattern) > 0.0, *_RATES)
        outcomes = (_samples(cell, seed, pattern, number) < rates[:, None, None]).astype(np.float64)
        pairs = rate_pairs([scores.ravel() for scores in outcomes])
        about = {"target": "mean", "pattern": pattern, "remark": ""}
        answers += [about | judged._asdict() for judged in _judged(pairs, None, rates)]
    return answers


def _by_student(
    cell: dict[str, Any], samples: Floats, steps: dict[str, float], n_resamples: int, seed: int
) -> list[dict[str, Any]]:
    """Return the conclusions from one data set, with target, pattern, and the first remark on any algorithm."""
    unit = "whole_runs" if cell["law"] == "shared" else "runs"
    drawn = [replicate_metrics(one, _METRICS, n_resamples, seed, f"{place}") for place, one in enumerate(samples)]
    spreads = [standard_errors(one, _METRICS, unit, resamples) for one, resamples in zip(samples, drawn, strict=True)]
    values = np.array([metric_values(one, _METRICS) for one in samples])
    answers: list[dict[str, Any]] = []
    sharing = "declared" if unit == "whole_runs" else ""
    for place, metric in enumerate(_METRICS):
        errors, degrees = np.array(spreads)[:, :, place].T
        remarks = [metric_remark("student", metric, list(scores.T), CONFIDENCE, sharing=sharing) for scores in samples]
        remark = next(filter(None, remarks), "")
        tails = joint_tails(errors, degrees, seed, n_resamples)
        for pattern in _PATTERNS:
            truth = steps[metric] * _truth(len(samples), pattern)
            pairs = student_pairs(values[:, place] + truth, errors, degrees)
            about = {"target": metric, "pattern": pattern, "remark": remark}
            answers += [about | judged._asdict() for judged in _judged(pairs, tails, truth)]
    return answers


def _judged(pairs: Pairs, tails: Floats | None, truth: Floats) -> list[_Conclusions]:
    """Compare the conclusions of each method with the true values of the algorithms.

    Parameters
    ----------
    tails : result of `joint_tails`; if None, Bonferroni's intervals are used
    truth : float64[k], true values
    """
    count = len(truth)
    true = truth[:, None] - truth
    itself = np.eye(count, dtype=bool)
    differs: Booleans = np.asarray(true > 0.0)
    bonferroni = Adjustment(count * (count - 1) // 2)
    adjustment = bonferroni if tails is None else joint_adjustment([tails], all_pairs(count))
    comparison = simultaneous(pairs, adjustment, all_pairs(count), CONFIDENCE)
    apart: Booleans = np.asarray(comparison.separated & (pairs.difference > 0.0))
    plain = pairs.limits(bonferroni.level(CONFIDENCE))
    missed = _misses(*plain, true)
    wrong = _misses(comparison.low, comparison.high, true) or bool((apart & ~differs).any())
    of_pairs = _Conclusions("all pairs", wrong, _mean(apart[differs]), missed, _mean(plain[0][differs] > 0.0))
    best = best_limits(pairs, control_levels(tails, count, CONFIDENCE))
    first = int(truth.argmax())
    worse: Booleans = np.asarray(truth < truth.max())
    to_best = truth - np.where(itself, -np.inf, truth).max(axis=1)
    wrong = _misses(best.low, best.high, to_best) or not best.tied[first]
    beaten: Booleans = np.asarray((plain[1] < 0.0).any(axis=1))
    of_best = _Conclusions("best", wrong, _mean(~best.tied[worse]), bool(beaten[first]), _mean(beaten[worse]))
    return [of_pairs, of_best]


def _misses(low: Floats, high: Floats, true: Floats) -> bool:
    return bool(((low > true + _ROUNDING) | (high < true - _ROUNDING)).any())


def _mean(shown: Booleans) -> float:
    return float(shown.mean()) if shown.size else np.nan


multiple_comparisons = Study(_COMPARISON_CELLS, _cover_comparisons)


_METHODS = ("clustered", "standard errors", "paired", "paired t")
_WORSE = 0.08
_QUANTILE = 1.959963984540054
_SPREAD = 3.0
"""Sum of the parameters of the beta distribution of success rates. Two samples of the same item then have a correlation
of 1 / 4.
"""
_SHARED = 0.5
_LARGER = 4 / 3
_LARGEST = 60


_DESIGNS = [(items, "single items") for items in (10, 20, 50, 200)]
_DESIGNS += [(count, f"clusters of {sizes}") for sizes in ("four", "unlike sizes") for count in (5, 10, 20, 50)]
_ITEM_CELLS = [
    {"name": f"{rate:g}, {count} {kind}, {samples} samples", "rate": rate, "count": count, "kind": kind}
    | {"samples": samples}
    for count, kind in _DESIGNS
    for rate in (0.5, 0.9, 0.97)
    for samples in (1, 5)
]
"""Rates of .5, .9 and .97, for 10 to 200 single items, or 5 to 50 clusters of four items or of unequal sizes, with one
or five samples of each item.
"""


def _cover_items(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures and average the widths of all methods; `n_resamples` has no effect, since nothing is resampled."""
    subject = "evaluation scores"
    rate = cell["rate"]
    samples = cell["samples"]
    growing = [min(round(2 * _LARGER ** (place % 12)), _LARGEST) for place in range(cell["count"])]
    sizes = {"single items": 1, "clusters of four": 4}.get(cell["kind"], growing)
    clusters = np.repeat(np.arange(cell["count"]), sizes)
    items = clusters.size
    names = [str(one) for one in clusters]
    truth = np.array([rate, rate, _WORSE, _WORSE])
    remark = ""
    missed = np.zeros(len(_METHODS), int)
    width = np.zeros(len(_METHODS))
    for number in range(datasets):
        uniforms = uniform_numbers((items, 2 * samples + 3), seed, f"{subject}/{cell['name']}", number)
        of_cluster = uniforms[np.unique(clusters, return_index=True)[1], 0][clusters]
        place = np.where(uniforms[:, 1] < _SHARED, of_cluster, uniforms[:, 2])
        means = np.array([rate, rate - _WORSE])[:, None]
        rates = betaincinv(_SPREAD * means, _SPREAD * (1.0 - means), place)
        outcomes = uniforms[:, 3:].reshape(items, 2, samples) < rates.T[..., None]
        scores, others = outcomes.mean(axis=2).T
        estimate = item_mean(scores, names, items * samples, CONFIDENCE)
        by_task = np.array([[scores - scores, scores - others], [others - scores, others - others]])
        paired = (paired_rate_pairs(by_task, names, items * samples), paired_task_pairs(by_task, names, 1.0))
        remark = cluster_remark(estimate.clusters, estimate.alike)
        reach = _QUANTILE * estimate.standard_error
        differences = [[limit[0, 1] for limit in pairs.limits((1.0 - CONFIDENCE) / 2.0)] for pairs in paired]
        limits = np.array(
            [(estimate.low, estimate.high), (estimate.value - reach, estimate.value + reach), *differences]
        )
        limits = np.where(np.isnan(limits), by_task[0, 1].mean(), limits)  # limits are NaN if all differences are equal
        missed += (limits[:, 0] > truth + _ROUNDING) | (limits[:, 1] < truth - _ROUNDING)
        width += (limits[:, 1] - limits[:, 0]) / datasets
    rows = [
        {"method": method, "failures": missed[place], "width": width[place]}
        | {"target": "difference on the same items" if method.startswith("paired") else "mean over items"}
        | {"recommended": place in (0, 2) and not remark, "remark": remark if place in (0, 2) else ""}
        for place, method in enumerate(_METHODS)
    ]
    about = {"data": f"{cell['kind']}, rate {rate:g}", "runs": cell["count"], "tasks": items, "algorithms": 1}
    return failure_table(subject, cell, datasets, rows, **about)


evaluation_scores = Study(_ITEM_CELLS, _cover_items)
