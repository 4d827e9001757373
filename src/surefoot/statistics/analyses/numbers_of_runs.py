"""How many runs are needed, and comparisons that are looked at after every run; see `planning` and `sequential`."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, scores_of
from surefoot.statistics.planning import plan
from surefoot.statistics.sequential import (
    confidence_sequence,
    evidence,
    false_alarms,
    ordinary_limits,
    round_outcomes,
)

Sets = Mapping[str, pd.DataFrame]


def run_plans(sets: Sets, options: Mapping) -> pd.DataFrame:
    """What studies of other numbers of runs would find, from the runs of each algorithm as the pilot.

    Returns
    -------
    columns algorithm, metric, runs, quantity ("width" of the interval, or "chance" to detect a lift), lift_percent (0
        for widths), value (mean over the simulated studies), low, high (a width's 10 % and 90 % quantiles; of a chance,
        two standard errors of the simulation away), pilot_low, pilot_high (fewest and most runs of a task), tasks
    """
    (table,) = sets.values()
    asked = [options[key] for key in ("metrics", "sizes", "lifts", "confidence", "datasets", "replicates", "seed")]
    parts = []
    for algorithm in algorithms_of(table, options)[: None if "algorithms" in options else 1]:
        scores = scores_of(table, algorithm)
        widths, chances = plan(scores, *asked)
        reach = 2 * chances["standard_error"]
        ends = {"low": (chances["chance"] - reach).clip(lower=0), "high": (chances["chance"] + reach).clip(upper=1)}
        chances = chances.rename(columns={"chance": "value"}).assign(**ends)
        widths = widths.rename(columns={"width": "value", "narrow": "low", "wide": "high"}).assign(lift_percent=0.0)
        both = pd.concat([widths.assign(quantity="width"), chances.assign(quantity="chance")])
        sizes = list(map(len, scores))
        parts.append(both.assign(algorithm=algorithm, pilot_low=min(sizes), pilot_high=max(sizes), tasks=len(sizes)))
    columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "value", "low", "high"]
    return pd.concat(parts, ignore_index=True)[[*columns, "pilot_low", "pilot_high", "tasks"]]


def sequential_comparison(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Two algorithms compared after every run, in the order in which the runs were collected.

    Round n is run n of both in every task; a task that is ahead waits.

    Returns
    -------
    columns x, y, round, wins (fraction of its tasks that x wins), value (mean so far), low, high (confidence sequence),
        evidence (e-value against no difference), ordinary_low, ordinary_high (percentile interval of this look alone),
        decided (whether the confidence sequence has left 0.5), left_out (runs of the task that is furthest ahead)
    """
    (table,) = sets.values()
    x, y = algorithms_of(table, {"algorithms": options["compare"]})
    samples = [scores_of(table, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second, tasks_independent=options["tasks_independent"])
    low, high = confidence_sequence(outcomes, options["confidence"])
    ordinary = ordinary_limits(first, second, options["replicates"], options["confidence"], options["seed"])
    rounds, wins = np.arange(1, len(first) + 1), outcomes.mean(axis=1)
    columns = {"x": x, "y": y, "round": rounds, "wins": wins, "value": np.cumsum(wins) / rounds}
    columns |= {"low": low, "high": high, "evidence": evidence(outcomes)}
    columns |= {"ordinary_low": ordinary[0], "ordinary_high": ordinary[1], "decided": (low > 0.5) | (high < 0.5)}
    return pd.DataFrame(columns).assign(left_out=max(sizes) - min(sizes))


def false_alarm_rates(sets: Sets, options: Mapping) -> pd.DataFrame:
    """How often an experimenter who looks after every run finds a difference between an algorithm and itself.

    Both sides are drawn with replacement from the runs of the second algorithm that is compared, so every finding is a
    false alarm; each task's on its own, or whole runs where tasks are not independent. Columns as
    `surefoot.statistics.sequential.false_alarms`, and algorithm, experiments.
    """
    (table,) = sets.values()
    algorithm = algorithms_of(table, {"algorithms": options["compare"]})[1]
    scores = scores_of(table, algorithm)
    asked = [options[key] for key in ("rounds", "datasets", "replicates", "confidence", "seed")]
    found = false_alarms(scores, scores, *asked, tasks_independent=options["tasks_independent"])
    return found.assign(algorithm=algorithm, experiments=options["datasets"])
