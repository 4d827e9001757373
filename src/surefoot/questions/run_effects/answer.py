"""What runs with the same number share across tasks."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, Shared
from surefoot.questions.results import Result
from surefoot.questions.run_effects.settings import Settings
from surefoot.statistics.arrays import Floats
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.run_effects import RunEffect, run_effect
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, matched_scores

_FEWEST = 3
"""Runs that Friedman's test needs."""


def answer(sets: Sets, settings: Settings, shared: Shared) -> "RunEffects":
    """Whether runs with the same number do similarly well on all tasks: Friedman's test over the tasks, and the first
    runs alone.

    Intervals that resample the runs of each task assume that tasks are independent, and so do bands, probabilities of
    improvement, and sequential comparisons that count the tasks of a round as separate outcomes. If tasks are not
    independent, these intervals are too narrow (for the mean of all tasks, by a factor of about sqrt(inflation)), and
    `resampled="whole_runs"` is right. Runs are matched across tasks by their names; those that some task lacks are left
    out. The method `effects` of the result gives the inflation, with limits.

    Returns
    -------
    columns algorithm, statistic, degrees, p_value (of Friedman's test), runs, first (number of runs), first_iqm, iqm,
        correlation, correlation_high, finding

    Raises
    ------
    ValueError : an algorithm has no run that all tasks have
    """
    (table,) = sets.values()
    matched = {name: matched_scores(table, name) for name in algorithms_of(table, settings.algorithms)}
    for name, scores in matched.items():
        if scores.size == 0:
            raise HintedError(
                "run effects",
                f"no run of {name} is in all tasks",
                "runs are matched by their names; where those of different tasks have nothing to do with one another, "
                "there is nothing to ask",
            )
    effects = {name: run_effect(scores, shared.confidence, seed=shared.seed) for name, scores in matched.items()}
    return RunEffects(settings, matched, effects)


@dataclass(frozen=True, repr=False)
class RunEffects(Result):
    """What the runs of each algorithm share.

    settings : what was asked; matched : float64[runs, tasks] of each algorithm, the runs that all tasks have
    found : `statistics.runs.run_effects.RunEffect` of each algorithm
    """

    settings: Settings
    matched: dict[str, Floats]
    found: dict[str, RunEffect]

    def table(self) -> pd.DataFrame:
        """Friedman's test and the first runs; see `answer`. Of fewer than three runs the test says nothing."""
        from scipy.stats import friedmanchisquare

        (first,) = self.settings.sizes
        rows = []
        for algorithm, scores in self.matched.items():
            test = friedmanchisquare(*scores) if len(scores) >= _FEWEST else (np.nan, np.nan)
            iqm = [float(metric_values(part, ["iqm"])[0]) for part in (scores[:first], scores)]
            effect = self.found[algorithm]
            found = (effect.correlation, effect.correlation_high, effect.finding)
            rows.append((algorithm, test[0], len(scores) - 1, test[1], len(scores), first, *iqm, *found))
        columns = ["algorithm", "statistic", "degrees", "p_value", "runs", "first", "first_iqm", "iqm"]
        return pd.DataFrame(rows, columns=[*columns, "correlation", "correlation_high", "finding"])

    def effects(self) -> pd.DataFrame:
        """Columns algorithm, runs, tasks, finding ("negligible", "found" or "cannot tell"), p_value (exact, of
        permutations), correlation, correlation_low, correlation_high (mean rank correlation of two tasks with one-sided
        limits), inflation, inflation_low, inflation_high (variance of the run means divided by that of independent
        tasks)."""
        names = ["runs", "tasks", "finding", "p_value"]
        names += [f"{kind}{end}" for kind in ("correlation", "inflation") for end in ("", "_low", "_high")]
        rows = [
            {"algorithm": of} | {name: getattr(effect, name) for name in names} for of, effect in self.found.items()
        ]
        return pd.DataFrame(rows)
