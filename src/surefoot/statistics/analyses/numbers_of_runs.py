"""How many runs are needed, and comparisons that are looked at after every run; see `planning` and `sequential`."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, matched_scores, scores_of
from surefoot.statistics.planning import plan
from surefoot.statistics.run_effect_findings import UNKNOWN
from surefoot.statistics.run_effects import run_effect, running_inflation
from surefoot.statistics.sequential import (
    confidence_sequence,
    evidence,
    false_alarms,
    ordinary_limits,
    round_bets,
    round_outcomes,
)

Sets = Mapping[str, pd.DataFrame]


def run_plans(sets: Sets, options: Mapping) -> pd.DataFrame:
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
    asked = [options[key] for key in ("metrics", "sizes", "lifts", "confidence", "datasets", "replicates", "seed")]
    parts = []
    for algorithm in algorithms_of(table, options)[: None if "algorithms" in options else 1]:
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
        parts.append(both.assign(**_shared(table, algorithm, options["seed"])))
    columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "value"]
    columns += ["low", "high", "inner_low", "inner_high"]
    pilot = ["pilot_low", "pilot_high", "tasks", "effect", "inflation", "inflation_high", "effect_p"]
    return pd.concat(parts, ignore_index=True)[[*columns, *pilot]]


def _shared(table, algorithm, seed):
    """What the runs of an algorithm share, from those that all tasks have."""
    scores = matched_scores(table, algorithm)
    if scores.size == 0:
        return {"effect": UNKNOWN, "inflation": np.nan, "inflation_high": float(scores.shape[1]), "effect_p": 1.0}
    found = run_effect(scores, seed=seed)
    shown = {"inflation": found.inflation, "inflation_high": found.inflation_high, "effect_p": found.p_value}
    return {"effect": found.finding} | shown


def sequential_comparison(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Two algorithms compared after every run, in the order in which the runs were collected.

    Round n is run n of both in every task; a task that is ahead waits.

    Returns
    -------
    columns x, y, round, wins (fraction of its tasks that x wins), value (mean so far), low, high (confidence sequence),
        evidence (e-value against no difference), ordinary_low, ordinary_high (percentile interval of this look alone),
        decided (whether the confidence sequence has left 0.5), left_out (runs of the task that is furthest ahead),
        apart (whether the tasks of this round counted as separate outcomes), inflation, inflation_low, inflation_high
        (of the outcomes so far; see `surefoot.statistics.run_effects.running_inflation`), tasks
    """
    (table,) = sets.values()
    x, y = algorithms_of(table, {"algorithms": options["compare"]})
    samples = [scores_of(table, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second)
    bets = round_bets(outcomes, options["tasks_independent"])
    low, high = confidence_sequence(bets, options["confidence"])
    ordinary = ordinary_limits(first, second, options["replicates"], options["confidence"], options["seed"])
    rounds, wins = np.arange(1, len(first) + 1), outcomes.mean(axis=1)
    columns = {"x": x, "y": y, "round": rounds, "wins": wins, "value": np.cumsum(wins) / rounds}
    columns |= {"low": low, "high": high, "evidence": evidence(bets)}
    columns |= {"ordinary_low": ordinary[0], "ordinary_high": ordinary[1], "decided": (low > 0.5) | (high < 0.5)}
    spread = dict(zip(("inflation", "inflation_low", "inflation_high"), running_inflation(outcomes), strict=True))
    columns |= {"apart": np.isfinite(bets).all(axis=1)} | spread
    return pd.DataFrame(columns).assign(left_out=max(sizes) - min(sizes), tasks=outcomes.shape[1])


def false_alarm_rates(sets: Sets, options: Mapping) -> pd.DataFrame:
    """How often an experimenter who looks after every run finds a difference between an algorithm and itself.

    Both sides are drawn with replacement from the runs of the second algorithm that is compared, so every finding is a
    false alarm; each task's on its own, or whole runs where tasks are not known to be independent. Columns as
    `surefoot.statistics.sequential.false_alarms`, and algorithm, experiments.
    """
    (table,) = sets.values()
    algorithm = algorithms_of(table, {"algorithms": options["compare"]})[1]
    scores = scores_of(table, algorithm)
    asked = [options[key] for key in ("rounds", "datasets", "replicates", "confidence", "seed")]
    found = false_alarms(scores, scores, *asked, tasks_independent=options["tasks_independent"])
    return found.assign(algorithm=algorithm, experiments=options["datasets"])
