"""By how much each algorithm is better than each of the others."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared, refuse_single_runs
from surefoot.questions.pairwise_differences.settings import Settings
from surefoot.statistics.comparison.pairwise_differences import pairwise_differences
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import spread_of_few_runs
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Differences x - y of each metric between all pairs of algorithms, with simultaneous intervals.

    Student's intervals of the resampled runs of each task, with Welch's degrees of freedom, at a level that is divided
    by the number of pairs (Bonferroni). They are for runs that are independent, within a task and across tasks.

    Returns
    -------
    columns metric, x, y, value_x, value_y, value (of the difference), low, high, degrees (of freedom), runs (the fewest
    of any task of either), times_as_many_runs (how many times as many runs of both would settle the difference with a
    probability of 80 %, if the true difference is the observed one; at most 1 if it is settled), remark (a reservation
    about the interval)

    Raises
    ------
    ValueError : fewer than two algorithms; an unknown metric; only one run of every task
    """
    (table,) = sets.values()
    (name,) = sets
    algorithms, metrics = algorithms_of(table, settings.algorithms), [metric(one) for one in settings.metrics]
    values, errors, degrees, sizes = [], [], [], []
    for algorithm in algorithms:
        scores = scores_of(table, algorithm)
        sizes.append([len(column) for column in scores])
        refuse_single_runs(algorithm, sizes[-1])
        drawn = replicate_metrics(
            scores,
            metrics,
            shared.replicates,
            shared.seed,
            f"{name}/{algorithm}",
            tasks_of(table),
            threads=shared.threads,
        )
        spread = spread_of_few_runs(scores, metrics)
        values.append(metric_values(scores, metrics))
        errors.append(drawn.std(axis=0, ddof=1) * spread.stretch)
        degrees.append(spread.degrees)
    rows = []
    for place, chosen in enumerate(metrics):
        own, error, freedom = ([one[place] for one in part] for part in (values, errors, degrees))
        found = pairwise_differences(own, error, freedom, shared.confidence)
        for p, (x, y) in enumerate(zip(found.x, found.y, strict=True)):
            both = sizes[x] + sizes[y]
            remark = metric_remark("student", chosen.name, both, shared.confidence, found.degrees[p])
            row = (str(chosen), algorithms[x], algorithms[y], own[x], own[y], found.value[p], found.low[p])
            rows.append((*row, found.high[p], found.degrees[p], min(both), found.factor_to_settle[p], remark))
    columns = ["metric", "x", "y", "value_x", "value_y", "value", "low", "high", "degrees", "runs"]
    return pd.DataFrame(rows, columns=[*columns, "times_as_many_runs", "remark"])
