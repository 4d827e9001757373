"""What studies of other numbers of runs would find, from a pilot."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.run_plans.settings import Settings
from surefoot.statistics.planning import plan
from surefoot.statistics.run_effect_findings import UNKNOWN
from surefoot.statistics.run_effects import run_effect
from surefoot.statistics.samples_of_tasks import algorithms_of, matched_scores, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """What studies of other numbers of runs would find, from the runs of each algorithm as the pilot.

    Returns
    -------
    columns algorithm, metric, runs, quantity ("width" of the interval, or "chance" to detect a lift), lift_percent (0
        for widths), value (mean over the simulated studies), low, high (95 % band for the pilot's own uncertainty; see
        `surefoot.statistics.planning_band`), inner_low, inner_high (a width's 10 % and 90 % quantiles over the
        studies; of a chance, two standard errors of the simulation away), pilot_low, pilot_high (fewest and most runs
        of a task), tasks, effect, inflation, inflation_high, effect_p (what the pilot's runs share across tasks:
        finding, inflation with its upper limit, and p-value; see `surefoot.statistics.run_effects`)
    """
    (table,) = sets.values()
    asked = (settings.metrics, settings.sizes, settings.lifts, shared.confidence)
    asked = (*asked, settings.datasets, shared.replicates, shared.seed)
    parts = []
    for algorithm in algorithms_of(table, settings.algorithms)[: None if settings.algorithms else 1]:
        scores = scores_of(table, algorithm)
        widths, chances = plan(scores, *asked)
        reach = 2 * chances["standard_error"]
        chances = chances.rename(columns={"chance": "value"})
        chances["inner_low"] = (chances["value"] - reach).clip(lower=0)
        chances["inner_high"] = (chances["value"] + reach).clip(upper=1)
        names = {"width": "value", "narrow": "inner_low", "wide": "inner_high"}
        widths = widths.rename(columns=names).assign(lift_percent=0.0)
        both = pd.concat([widths.assign(quantity="width"), chances.assign(quantity="chance")])
        sizes = list(map(len, scores))
        both = both.assign(algorithm=algorithm, pilot_low=min(sizes), pilot_high=max(sizes), tasks=len(sizes))
        parts.append(both.assign(**_effect(table, algorithm, shared.seed)))
    columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "value"]
    columns += ["low", "high", "inner_low", "inner_high"]
    pilot = ["pilot_low", "pilot_high", "tasks", "effect", "inflation", "inflation_high", "effect_p"]
    return pd.concat(parts, ignore_index=True)[[*columns, *pilot]]


def _effect(table, algorithm, seed):
    """What the runs of an algorithm share, from those that all tasks have."""
    scores = matched_scores(table, algorithm)
    if scores.size == 0:
        return {"effect": UNKNOWN, "inflation": np.nan, "inflation_high": float(scores.shape[1]), "effect_p": 1.0}
    found = run_effect(scores, seed=seed)
    shown = {"inflation": found.inflation, "inflation_high": found.inflation_high, "effect_p": found.p_value}
    return {"effect": found.finding} | shown
