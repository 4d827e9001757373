"""What runs with the same number share across tasks."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.run_effects.settings import Settings
from surefoot.statistics.run_effects import run_effect
from surefoot.statistics.samples_of_tasks import algorithms_of, matched_scores
from surefoot.statistics.stratified_bootstrap import metric_values


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Do runs with the same number do well on all tasks? Friedman's test over the tasks, and the first runs alone.

    Returns
    -------
    columns algorithm, statistic, degrees, p_value (of Friedman's test), runs, first (number of runs), first_iqm, iqm,
        correlation, correlation_high, finding (see `surefoot.statistics.run_effects`)
    """
    from scipy.stats import friedmanchisquare

    (table,) = sets.values()
    (first,) = settings.sizes
    rows = []
    for algorithm in algorithms_of(table, settings.algorithms):
        scores = matched_scores(table, algorithm)
        statistic, p_value = friedmanchisquare(*scores)
        iqm = [float(metric_values(part, ["iqm"])[0]) for part in (scores[:first], scores)]
        effect = run_effect(scores, shared.confidence, seed=shared.seed)
        found = (effect.correlation, effect.correlation_high, effect.finding)
        rows.append((algorithm, statistic, len(scores) - 1, p_value, len(scores), first, *iqm, *found))
    columns = ["algorithm", "statistic", "degrees", "p_value", "runs", "first", "first_iqm", "iqm"]
    return pd.DataFrame(rows, columns=[*columns, "correlation", "correlation_high", "finding"])
