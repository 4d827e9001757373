"""Coverage of intervals of differences and of probabilities of improvement, and consequences of effects of runs.

Tasks are fixed, as in a benchmark, and the truth is computed from the distributions of the tasks.

difference_intervals : simultaneous intervals of the differences between several algorithms, which may have different
    distributions. A method fails on a data set if any of its intervals misses. The method "student" is the one in
    `comparison.metric_differences`. The method "percentile" uses the differences of the replicates of both algorithms
    (Agarwal et al. 2021, appendix A.2), with the error rate divided by the number of pairs.
improvement_intervals : intervals from placements, and the percentile intervals of rliable. X and Y have the same
    distribution, except that the uniform variate u from which a score is computed is replaced by u^(1 / c) for X. So
    P(X > Y) is known; it is c / (c + 1) for scores without ties.
shared_run_test : coverage of percentile intervals if a run has an effect on all tasks. The stratified bootstrap
    resamples the runs of each task separately, which treats tasks as independent. For comparison, runs are resampled
    together on all tasks.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.comparison.metric_differences import pairwise_differences
from surefoot.statistics.comparison.probability_of_improvement import (
    improvement_bounds,
    improvement_limits,
    replicate_improvement,
)
from surefoot.statistics.comparison.simultaneous_comparisons import joint_level, joint_tails
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Outcome, Study, failure_table, tally
from surefoot.statistics.coverage.simulated_scores import (
    population,
    scores_of,
    simulated_scores,
    true_values,
    uniform_numbers,
)
from surefoot.statistics.metrics.metric_catalogue import FOUR_METRICS, cut_alike
from surefoot.statistics.resampling.interval_remarks import improvement_remark, metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.shared_run_test import FOUND, run_effect
from surefoot.streams import stream_key

_RECOMMENDED = "student"
_DRAWS = 2000
"""Number of draws of the joint distribution of all pairs."""
_FIVE = ("alike", "skewed", "failures", "tied", "different")


def _difference_cells() -> list[dict[str, Any]]:
    """Return cases with two or five equal or unequal algorithms, and with two runs of eleven equal algorithms.

    There are one, five or ten tasks. In some cases, numbers of runs differ between algorithms or between tasks.
    """
    unlike = [("alike", "skewed"), ("alike", "failures"), ("two_point", "alike"), ("dominated", "alike")]
    pairs: list[tuple[str, ...]] = [("alike", "alike"), *unlike]
    sizes: list[tuple[tuple[int, ...], int, list[tuple[str, ...]]]] = [((runs,), 10, pairs) for runs in (2, 3, 5, 10)]
    sizes += [((3, 10), 10, [("failures", "skewed"), ("skewed", "alike")])]
    sizes += [((runs,), 10, [("alike",) * 5, _FIVE]) for runs in (3, 5, 10)]
    sizes += [((runs,), 1, pairs[:3]) for runs in (3, 5, 10)]
    sizes += [((2,), tasks, [(law,) * 11 for law in ("alike", "skewed", "failures")]) for tasks in (1, 5)]
    cells = []
    for runs, tasks, several in sizes:
        for laws in several:
            data = f"{len(laws)} {laws[0]}" if len(set(laws)) == 1 else ", ".join(laws)
            each = runs * len(laws) if len(runs) == 1 else runs
            name = f"{data}, {' and '.join(map(str, runs))} runs of {tasks}"
            cell = {"name": name, "data": data, "laws": list(laws), "sizes": list(each), "runs": min(runs)}
            cells.append(cell | {"tasks": tasks})
    for data, allocation in _ALLOCATIONS.items():
        for law in ("different", "skewed"):
            cell = {"name": f"2 {law}, {data}", "data": f"2 {law}, {data}", "laws": [law] * 2, "sizes": allocation}
            cells.append(cell | {"runs": min(map(min, allocation)), "tasks": len(allocation[0])})
    return cells


_ALLOCATIONS = {
    "3 and 10 runs of opposite halves of 10": [[3] * 5 + [10] * 5, [10] * 5 + [3] * 5],
    "2 of 5 runs of the 3 hardest of 10 lost": [[5] * 10, [3] * 3 + [5] * 7],
}
"""Numbers of runs of each task, in the order of the levels of tasks, for two equal algorithms. If all runs had the same
weight, the algorithms would be separated in nearly all data sets of the first case, and in a third of the second case.
"""


def _cover_differences(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of each method and metric, with the most frequent remark over data sets."""
    subject = "difference intervals"
    tasks = cell["tasks"]
    metrics = list(FOUR_METRICS)
    truths = np.array([true_values(law, tasks, metrics) for law in cell["laws"]])
    outcomes = []
    by_task = [[runs] * tasks if isinstance(runs, int) else runs for runs in cell["sizes"]]
    sizes = [np.zeros(min(runs)) for runs in by_task]
    for number in range(datasets):
        samples = []
        for place, (law, runs) in enumerate(zip(cell["laws"], by_task, strict=True)):
            uniforms = uniform_numbers((max(runs), tasks), seed, f"{cell['name']}/{place}", number)
            columns = scores_of(law, uniforms).T
            samples.append([column[:count] for column, count in zip(columns, runs, strict=True)])
        resample_seed = int(stream_key(seed, "trust", subject, cell["name"], number)[0])
        scale = typical_magnitude(np.concatenate([column for scores in samples for column in scores]))
        alike = cut_alike(metrics, samples)
        values = np.array([metric_values(scores, alike) for scores in samples])
        drawn = [
            replicate_metrics(one, alike, n_resamples, resample_seed, f"{place}") for place, one in enumerate(samples)
        ]
        spreads = [standard_errors(one, alike, "runs", of_one) for one, of_one in zip(samples, drawn, strict=True)]
        for k, metric in enumerate(metrics):
            errors = [spread.errors[k] for spread in spreads]
            degrees = [spread.degrees[k] for spread in spreads]
            level = joint_level(joint_tails(errors, degrees, resample_seed, _DRAWS), CONFIDENCE)
            pairs = pairwise_differences(values[:, k], errors, degrees, level)
            each = 1.0 - (1.0 - CONFIDENCE) / len(pairs)
            replicated = np.array([drawn[x][:, k] - drawn[y][:, k] for x, y in zip(pairs.x, pairs.y, strict=True)]).T
            truth = truths[pairs.x, k] - truths[pairs.y, k]
            percentile = interval(replicated, None, "percentile", each)
            narrowest = float((pairs.high - pairs.low).min())
            remarks = (metric_remark(_RECOMMENDED, metric, scores, width=narrowest) for scores in samples)
            remark = next(filter(None, remarks), "")
            for method, low, high, text in (
                (_RECOMMENDED, pairs.low.to_numpy(), pairs.high.to_numpy(), remark),
                ("percentile", *percentile, metric_remark("percentile", metric, sizes, CONFIDENCE)),
            ):
                missed = (exceeds(low, truth, scale) | exceeds(truth, high, scale)).any()
                outcomes.append(Outcome(method, metric, missed, (high - low).mean(), text))
    rows = tally(outcomes, lambda row: row["method"] == _RECOMMENDED and not row["remark"])
    rows.sort(key=lambda row: row["method"] != _RECOMMENDED)
    return failure_table(subject, cell, datasets, rows, data=cell["data"], algorithms=len(cell["laws"]))


difference_intervals = Study(_difference_cells(), _cover_differences)


_GRID = 2_000


def _improvement_cells() -> list[dict[str, Any]]:
    """Return cases in which one of two algorithms wins a half, 3/4 or 19/20 of the pairs of runs without ties."""
    sizes = [(runs, 10) for runs in (2, 3, 5, 10, 30)] + [(3, 26), (10, 26), (5, 1), (10, 1)]
    return [
        {"name": f"{law}, {odds} to 1, {runs} runs of {tasks}", "law": law, "odds": odds, "runs": runs, "tasks": tasks}
        for runs, tasks in sizes
        for law, odds in (("alike", 1), ("alike", 3), ("alike", 19), ("tied", 1), ("tied", 3), ("two_point", 3))
    ]


def _cover_improvement(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of the intervals from placements and of percentile intervals."""
    subject = "improvement intervals"
    shape = (2, cell["runs"], cell["tasks"])
    truth = true_probability(cell["law"], cell["odds"], cell["tasks"])
    outcomes = []
    for number in range(datasets):
        uniforms = uniform_numbers(shape, seed, cell["name"], number)
        uniforms[0] **= 1.0 / cell["odds"]
        x, y = scores_of(cell["law"], uniforms)
        resample_seed = int(stream_key(seed, "trust", subject, cell["name"], number)[0])
        drawn = interval(replicate_improvement(x, y, n_resamples, resample_seed), None, "percentile", CONFIDENCE)
        (placements,) = improvement_limits([improvement_bounds(x, y)], CONFIDENCE)
        limits: dict[str, Any] = {"placements": placements, "percentile": drawn}
        for method, (low, high) in limits.items():
            missed = exceeds(low, truth) | exceeds(truth, high)
            outcomes.append(Outcome(method, "P(X > Y)", missed, high - low, ""))
    rows = tally(outcomes, lambda row: row["method"] == "placements")
    rows[1]["remark"] = improvement_remark([cell["runs"]] * 2 * cell["tasks"], rows[1]["width"], CONFIDENCE)
    data = f"{cell['law']}, {cell['odds']} to 1"
    return failure_table(subject, cell, datasets, rows, data=data, algorithms=2)


def true_probability(law: str, odds: float, tasks: int) -> float:
    """Compute P(X > Y), where ties count half, and X is computed from u^(1 / odds) instead of a uniform variate u.

    The distributions of X and Y are represented by their values at the midpoints of 2,000 equal parts of (0, 1).
    """
    middles = np.repeat(((np.arange(_GRID) + 0.5) / _GRID)[:, None], tasks, axis=1)
    x, y = (np.sort(scores_of(law, part), axis=0).T for part in (middles ** (1.0 / odds), middles))
    below = [np.searchsorted(b, a, "left") + np.searchsorted(b, a, "right") for a, b in zip(x, y, strict=True)]
    return float(np.mean(below) / (2 * _GRID))


improvement_intervals = Study(_improvement_cells(), _cover_improvement)


def _effect_cells() -> list[dict[str, Any]]:
    """Return cases with effects of several sizes, 10 or 30 runs, and normal, skewed or two-point scores."""
    cases = [("normal", correlation, runs) for runs in (10, 30) for correlation in (0.0, 0.1, 0.3, 1.0)]
    cases += [("skewed", 0.3, 10), ("two_point", 0.3, 10)]
    return [
        {"name": f"{law}, effect of runs {correlation:g}, {runs} runs", "law": law, "correlation": correlation}
        | {"runs": runs, "tasks": 10}
        for law, correlation, runs in cases
    ]


def _cover_with_effects(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of percentile intervals, for each way of resampling.

    Additional column: remarked (fraction of data sets in which an effect of runs is found at a level of 1 %).
    """
    metrics: tuple[Any, ...] = ("mean", "iqm")
    truth = metric_values([population(cell["law"])] * cell["tasks"], metrics)
    remarked = 0
    outcomes = []
    for number in range(datasets):
        shape = cell["law"], cell["runs"], cell["tasks"], cell["correlation"]
        scores: Floats = simulated_scores(*shape, seed, cell["name"], number)
        remarked += run_effect(scores, 0.99, 199).finding == FOUND
        for resample in ("runs", "whole_runs"):
            key = int(stream_key(seed, cell["name"], number, resample)[0])
            drawn = replicate_metrics(scores, metrics, n_resamples, key, resample=resample)
            limits = interval(drawn, None, "percentile", CONFIDENCE)
            for name, low, high, true in zip(metrics, *limits, truth, strict=True):
                missed = true < low or true > high
                outcomes.append(Outcome(f"percentile, {resample}", name, missed, high - low, ""))
    rows = [row | {"remarked": remarked / datasets} for row in tally(outcomes)]
    data = f"{cell['law']}, {cell['correlation']:g}"
    return failure_table("run effects", cell, datasets, rows, data=data, algorithms=1)


shared_run_test = Study(_effect_cells(), _cover_with_effects)
