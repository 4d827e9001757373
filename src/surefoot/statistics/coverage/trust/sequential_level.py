"""Does a comparison that is looked at after every run hold its level where tasks are not independent?

Two algorithms are alike, and each finding of a difference, after whatever run, is a false alarm. In one of them or in
both a run has an effect on all of its tasks: a correlation of the scores of two tasks, or a failure on all of them.
The same comparisons with a difference between the algorithms show what the choice costs.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.sequential import log_capital, round_bets, round_outcomes
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, failure_table
from surefoot.statistics.coverage.simulated_scores import population, simulated_scores
from surefoot.statistics.runs.run_effects import running_inflation

CHOICES: dict[str, bool | str] = {
    "tasks independent": True,
    "any dependence": False,
    "chosen by the runs (auto)": "auto",
}
_GAIN = 0.25
_FAILED = -100.0


def cells() -> list[dict[str, Any]]:
    """Effects of each size with few and many tasks, other laws of scores, and failures on all tasks at once."""
    made = []
    for tasks in (5, 26):
        for correlation in (0.0, 0.1, 0.3, 1.0):
            made.append(_cell(tasks=tasks, correlations=(correlation, 0.0)))
        made.append(_cell(tasks=tasks, correlations=(0.3, 0.3)))
        made.append(_cell(law="two_point", tasks=tasks, correlations=(0.3, 0.0)))
        made.append(_cell(tasks=tasks, failures=0.02))
        made.append(_cell(tasks=tasks, failures=0.1))
    made.append(_cell(tasks=2, correlations=(0.3, 0.3), rounds=100))
    made.append(_cell(tasks=26, failures=0.005, rounds=150))
    return made


def _cell(
    law: str = "normal",
    tasks: int = 5,
    correlations: tuple[float, float] = (0.0, 0.0),
    failures: float = 0.0,
    rounds: int = 50,
) -> dict[str, Any]:
    effect = f"effect of runs {correlations[0]:g} and {correlations[1]:g}"
    if failures:
        effect = f"all tasks fail in {100 * failures:g} % of runs"
    data = f"{law}, {effect}"
    name = f"{data}, {tasks} tasks, {rounds} rounds"
    settings = {"law": law, "tasks": tasks, "correlations": list(correlations), "failures": failures, "rounds": rounds}
    return {"name": name, "data": data} | settings


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """False alarms of each choice, and comparisons that find a difference.

    Parameters
    ----------
    cell : one of `cells()`; datasets : how many comparisons without and with a difference
    replicates : not used, since nothing is resampled

    Returns
    -------
    the columns of a study of trust, and detected (fraction of the comparisons with a difference that were decided),
    rounds_needed (median over them; infinite where fewer than half were), remarked (fraction of the comparisons without
    a difference that make the remark)
    """
    ever: dict[str, list[bool]] = {}
    needed: dict[str, list[float]] = {}
    remarked = np.zeros(datasets, bool)
    for number in range(datasets):
        x, y = (_scores(cell, side, seed, number) for side in (0, 1))
        outcomes = round_outcomes(x, y)
        remarked[number] = running_inflation(outcomes)[1][-1] > 1.0
        better = round_outcomes(x + _GAIN, y)
        for method, choice in CHOICES.items():
            ever.setdefault(method, []).append(math.isfinite(decided_after(round_bets(outcomes, choice))))
            needed.setdefault(method, []).append(decided_after(round_bets(better, choice)))
    rows = []
    for method, choice in CHOICES.items():
        row = {"method": method, "target": "false alarm", "failures": int(np.sum(ever[method])), "width": np.nan}
        row |= {"recommended": choice == "auto", "remark": "", "detected": np.isfinite(needed[method]).mean()}
        rows.append(row | {"rounds_needed": np.median(needed[method]), "remarked": remarked.mean()})
    about = {"data": cell["data"], "runs": cell["rounds"], "algorithms": 2}
    return failure_table("sequential comparison", cell, datasets, rows, **about)


def decided_after(bets: Floats) -> float:
    """The round after which 1/2 is outside of the confidence sequence of `round_bets`; infinite if it never is."""
    enough = np.log(2.0 / (1.0 - CONFIDENCE))
    reached = np.maximum(log_capital(bets, 0.5), log_capital(1.0 - bets, 0.5)) >= enough
    return float(reached.argmax() + 1) if reached.any() else np.inf


def _scores(cell: Mapping[str, Any], side: int, seed: int, number: int) -> Floats:
    """Scores of one side, float64[rounds, tasks]; a failed run's are below all others."""
    name, rounds = f"{cell['name']}/{side}", cell["rounds"]
    scores = simulated_scores(cell["law"], rounds, cell["tasks"], cell["correlations"][side], seed, name, number)
    luck = simulated_scores("normal", rounds, 1, 0.0, seed, f"{name}/failures", number)[:, 0]
    if cell["failures"]:
        scores[luck < np.quantile(population("normal"), cell["failures"])] = _FAILED
    return scores
