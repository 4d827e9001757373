"""Compare algorithms on tasks that are a random sample."""

import numpy as np

from surefoot.questions.comparing import Compared, mean_of_others
from surefoot.statistics.arrays import Floats, typical_magnitude


def compare_on_random_tasks(
    metric: str, names: list[str], samples: list[list[Floats]], clusters: list[str], lower_is_better: bool
) -> Compared:
    """Compare by the paired t test over tasks, or clusters of tasks, or by limits of paired rates."""
    from surefoot.statistics.comparison.differences import bounded, paired_rate_pairs, paired_task_pairs
    from surefoot.statistics.comparison.improvement import probability_of_improvement
    from surefoot.statistics.intervals.rate_limits import cluster_remark
    from surefoot.statistics.resampling.interval_remarks import EQUAL_TASKS, metric_remark
    from surefoot.statistics.runs.shared_run_test import RESAMPLED, Sharing

    if metric == "probability_of_improvement":
        by_task = np.array([[probability_of_improvement(x, y).by_task - 0.5 for y in samples] for x in samples])
        by_task = -by_task if lower_is_better else by_task
        estimates = mean_of_others(by_task.mean(axis=-1)) + 0.5
    else:
        means = np.array([[scores.mean() for scores in of_tasks] for of_tasks in samples])
        by_task = means[:, None] - means
        estimates = means.mean(axis=1)
    outcomes = metric != "probability_of_improvement" and all(
        np.isin(one, (0.0, 1.0)).all() for own in samples for one in own
    )
    if outcomes:
        answers = min(sum(map(len, of_tasks)) for of_tasks in samples)
        pairs = bounded(paired_rate_pairs(by_task, clusters, answers), 1.0)
    else:
        magnitude = 1.0 if metric == "probability_of_improvement" else typical_magnitude(means)
        pairs = paired_task_pairs(by_task, clusters, magnitude)
        pairs = bounded(pairs, 0.5) if metric == "probability_of_improvement" else pairs
    sizes = np.unique(clusters, return_counts=True)[1]
    remark = cluster_remark(len(sizes), sizes.sum() ** 2 / (sizes**2).sum()) or metric_remark(
        "student", metric, samples[0], resample="tasks_and_runs"
    )
    none = np.zeros(len(samples))
    sharing = [Sharing(RESAMPLED)] * len(samples)
    unknown = none * np.nan
    return Compared(metric, names, samples, estimates, pairs, sharing, None, remark, unknown, none > 0.0, EQUAL_TASKS)
