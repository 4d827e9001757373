"""What studies of other numbers of runs would find, from a pilot."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.results import Result, one_of
from surefoot.questions.run_plans.settings import Settings
from surefoot.statistics.planning.plans import plan, runs_needed
from surefoot.statistics.runs.run_effect_findings import UNKNOWN
from surefoot.statistics.runs.run_effects import run_effect
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, matched_scores, scores_of

ASSUMPTIONS = (
    "New runs are like the pilot's: the same program and tasks, and nothing that the pilot did not see. A lift "
    "multiplies every score. The band (low, high) allows for the pilot's own uncertainty, as far as the pilot shows "
    "it: with skewed scores or rare failures that of a mean is too narrow, and a failure that no run of the pilot has "
    "is not foreseen."
)


def answer(sets: Sets, settings: Settings, shared: Shared) -> "RunPlans":
    """What studies with other numbers of runs would find, with the runs of each algorithm as the pilot, or those of the
    first if none is named. The result says how many runs a lift needs.

    Returns
    -------
    columns algorithm, metric, runs, quantity ("width" of the interval, or "chance" of detecting a lift), lift_percent
    (0 for widths), value (mean over the simulated studies), low, high (95 % band for the pilot's own uncertainty),
    inner_low, inner_high (of a width, the 10 % and 90 % quantiles over the studies; of a chance, two standard errors of
    the simulation away), pilot_low, pilot_high (fewest and most runs of a task), tasks, effect, inflation,
    inflation_high, effect_p (what the pilot's runs share across tasks: finding, inflation with its upper limit, and
    p-value; see `surefoot.run_effects`)

    Raises
    ------
    ValueError : a task with a single run; a size below 2; negative scores, which a lift would make worse
    """
    (table,) = sets.values()
    grid = (settings.metrics, settings.sizes, settings.lifts)
    asked = (*grid, shared.confidence, settings.datasets, shared.replicates, shared.seed)
    widths, chances, pilots = {}, {}, {}
    for algorithm in algorithms_of(table, settings.algorithms)[: None if settings.algorithms else 1]:
        scores = scores_of(table, algorithm)
        widths[algorithm], chances[algorithm] = plan(scores, *asked)
        sizes = list(map(len, scores))
        pilot = {"pilot_low": min(sizes), "pilot_high": max(sizes), "tasks": len(sizes)}
        pilots[algorithm] = pilot | _effect(table, algorithm, shared.seed)
    return RunPlans(widths, chances, pilots)


@dataclass(frozen=True, repr=False)
class RunPlans(Result):
    """Widths and chances by number of runs, of each algorithm (see `statistics.planning.plans`), its pilot, and what
    all of that assumes."""

    widths: dict[str, pd.DataFrame]
    chances: dict[str, pd.DataFrame]
    pilots: dict[str, dict[str, Any]]
    assumptions: str = ASSUMPTIONS

    def table(self) -> pd.DataFrame:
        """Widths, then chances, of each algorithm; see `answer`."""
        parts = []
        for algorithm, pilot in self.pilots.items():
            chances = self.chances[algorithm].rename(columns={"chance": "value"})
            reach = 2 * chances["standard_error"]
            chances["inner_low"] = (chances["value"] - reach).clip(lower=0)
            chances["inner_high"] = (chances["value"] + reach).clip(upper=1)
            names = {"width": "value", "narrow": "inner_low", "wide": "inner_high"}
            widths = self.widths[algorithm].rename(columns=names).assign(lift_percent=0.0)
            both = pd.concat([widths.assign(quantity="width"), chances.assign(quantity="chance")])
            parts.append(both.assign(algorithm=algorithm, **pilot))
        columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "value"]
        columns += ["low", "high", "inner_low", "inner_high"]
        columns += ["pilot_low", "pilot_high", "tasks", "effect", "inflation", "inflation_high", "effect_p"]
        return pd.concat(parts, ignore_index=True)[columns]

    def notes(self) -> pd.DataFrame:
        """What the plans assume: the column note."""
        return pd.DataFrame({"note": [self.assumptions]})

    def runs_needed(
        self,
        lift_percent: float,
        chance: float = 0.8,
        metric: str = "iqm",
        cautious: bool = False,
        algorithm: str | None = None,
    ) -> int | None:
        """The smallest simulated number of runs that detects the lift with this chance; None if none of them does.

        cautious : also at the lower end of the chance's band; algorithm : needed where there are several
        """
        (of,) = one_of(((name,) for name in self.chances), algorithm)
        return runs_needed(self.chances[of], metric, lift_percent, chance, cautious)


def _effect(table: pd.DataFrame, algorithm: str, seed: int) -> dict[str, Any]:
    """What the runs of an algorithm share, from those that all tasks have."""
    scores = matched_scores(table, algorithm)
    if scores.size == 0:
        return {"effect": UNKNOWN, "inflation": np.nan, "inflation_high": float(scores.shape[1]), "effect_p": 1.0}
    found = run_effect(scores, seed=seed)
    shown = {"inflation": found.inflation, "inflation_high": found.inflation_high, "effect_p": found.p_value}
    return {"effect": found.finding} | shown
