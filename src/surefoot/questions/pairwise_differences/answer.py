"""By how much each algorithm is better than each of the others."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, refuse_single_runs
from surefoot.questions.pairwise_differences.settings import Settings
from surefoot.statistics.comparison.pairwise_differences import limits_without_spread, pairwise_differences
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.planning.settling import runs_to_settle
from surefoot.statistics.resampling.interval_remarks import difference_remark, equal_runs_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, runs_of, scores_of, tasks_of
from surefoot.statistics.runs.sharing import SHARED, least_known, shared_runs, unit_of_errors
from surefoot.statistics.ties import exceeds, typical_magnitude


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Differences x - y of each metric between all pairs of algorithms, with simultaneous intervals.

    Student's intervals of the resampled runs of each task, with Welch's degrees of freedom, at a level that is divided
    by the number of pairs (Bonferroni). Where tasks share runs, the standard errors are those of whole runs. Where no
    run differs from another of its task, scores of 0 and 1 have limits by their success rates, and others none.

    Returns
    -------
    columns metric, x, y, value_x, value_y, value (of the difference), low, high (empty if there are none), degrees (of
    freedom), runs (the fewest of any task of either), runs_to_settle (how many runs of each task would settle the
    difference with a probability of 80 %, if the true difference is the observed one), fewest_to_settle, most_to_settle
    (its 80 % band, since these runs do not tell the difference exactly), shared_runs (as in the answer of aggregates,
    of both), remark (a reservation about the interval)

    Raises
    ------
    ValueError : fewer than two algorithms; an unknown metric; only one run of every task
    """
    (table,) = sets.values()
    (name,) = sets
    algorithms, metrics = algorithms_of(table, settings.algorithms), [metric(one) for one in settings.metrics]
    known = shared_runs(table, settings.shared_runs, shared.seed)
    values, errors, degrees, skewness, samples = [], [], [], [], []
    for algorithm in algorithms:
        scores = scores_of(table, algorithm)
        samples.append(scores)
        refuse_single_runs(algorithm, [len(column) for column in scores])
        drawn = replicate_metrics(
            scores,
            metrics,
            shared.replicates,
            shared.seed,
            f"{name}/{algorithm}",
            tasks_of(table),
            threads=shared.threads,
        )
        unit = unit_of_errors("runs", known[algorithm])
        spread = standard_errors(scores, metrics, unit, drawn, runs_of(table, algorithm))
        values.append(metric_values(scores, metrics))
        errors.append(spread.errors)
        degrees.append(spread.degrees)
        skewness.append(spread.skewness)
    rows = []
    for place, chosen in enumerate(metrics):
        own, error, freedom = ([one[place] for one in part] for part in (values, errors, degrees))
        found = pairwise_differences(own, error, freedom, shared.confidence)
        runs_now = min(len(column) for scores in samples for column in scores)
        level = 1.0 - (1.0 - shared.confidence) / (2.0 * len(found.value))
        enough = runs_to_settle(found.value, found.standard_error, found.degrees, runs_now, level)
        of_pair = 1.0 - (1.0 - shared.confidence) / len(found.value)
        for p, (x, y) in enumerate(zip(found.x, found.y, strict=True)):
            both = samples[x] + samples[y]
            fewest = min(len(column) for column in both)
            sharing = least_known([known[algorithms[x]], known[algorithms[y]]])
            shape = found.degrees[p], max(abs(skewness[x][place]), abs(skewness[y][place]))
            low, high, needed = found.low[p], found.high[p], [end[p] for end in enough]
            remark = difference_remark(chosen.name, [samples[x], samples[y]], shape, high - low, sharing)
            if not exceeds(found.standard_error[p], 0.0, typical_magnitude(np.concatenate(both))):
                whole = sharing in SHARED
                low, high = limits_without_spread(str(chosen), samples[x], samples[y], of_pair, whole)
                needed, remark = [np.inf] * len(needed), equal_runs_remark(high - low)
            row = (str(chosen), algorithms[x], algorithms[y], own[x], own[y], found.value[p], low, high)
            rows.append((*row, found.degrees[p], fewest, *needed, sharing, remark))
    columns = ["metric", "x", "y", "value_x", "value_y", "value", "low", "high", "degrees", "runs", "runs_to_settle"]
    return pd.DataFrame(rows, columns=[*columns, "fewest_to_settle", "most_to_settle", "shared_runs", "remark"])
