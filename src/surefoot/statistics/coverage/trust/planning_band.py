"""Does the band of a plan hold what studies of that size would really find?

A pilot of few runs is drawn from a known law and planned with. The truth is what a plan finds whose pilot is the law
itself: the mean width of an interval and the chance to detect a lift.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.failure_rates import failure_table
from surefoot.statistics.coverage.simulated_scores import LAWS, population, simulated_scores
from surefoot.statistics.planning.plans import BAND_CONFIDENCE, plan
from surefoot.statistics.runs.score_pool import Scores

METRICS = ("mean", "iqm")
SIZE, LIFT, TASKS = 10, 25.0, 5
_STUDIES, _PILOTS = 20, 50
_TRUE_STUDIES = 1000


def cells() -> list[dict[str, Any]]:
    """Pilots of 3, 5, 10 and 20 runs from each law."""
    return [
        {"name": f"{law}, pilot of {runs} runs", "law": law, "runs": runs} for law in LAWS for runs in (3, 5, 10, 20)
    ]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """How often the band of a plan misses the true width and chance.

    Parameters
    ----------
    cell : one of `cells()`; datasets : pilots; replicates : resamples of each interval of the simulated studies

    Returns
    -------
    the columns of a study of trust, and above, below (how often the truth was above and below the band), truth, off
    (mean absolute difference of prediction and truth, of widths relative to it); width is the band's, likewise
    """
    true_widths, true_chances = _truth(cell["law"], replicates, seed)
    found: dict[str, list[Floats]] = {"width": [], "chance": []}
    for number in range(datasets):
        pilot = simulated_scores(cell["law"], cell["runs"], TASKS, 0.0, seed, cell["name"], number)
        widths, chances = _plan(pilot, _STUDIES, replicates, seed + number, _PILOTS)
        found["width"].append(widths[["low", "width", "high"]].to_numpy() / true_widths[:, None])
        found["chance"].append(chances[["low", "chance", "high"]].to_numpy())
    rows = []
    for target, truth in (("width", np.ones(len(METRICS))), ("chance", true_chances)):
        low, middle, high = np.moveaxis(np.array(found[target]), 2, 0)
        for k, name in enumerate(METRICS):
            above, below = int((truth > high)[:, k].sum()), int((truth < low)[:, k].sum())
            row = {"method": f"band of the pilot, {name}", "target": target, "failures": above + below}
            row |= {
                "width": (high - low)[:, k].mean(),
                "recommended": True,
                "remark": "",
                "above": above,
                "below": below,
            }
            exact = (true_widths if target == "width" else true_chances)[k]
            row |= {"above": above, "below": below, "truth": exact}
            rows.append(row | {"off": np.abs(middle[:, k] - truth[k]).mean()})
    about = {"data": cell["law"], "tasks": TASKS, "algorithms": 1, "nominal": 1.0 - BAND_CONFIDENCE}
    return failure_table("planning", cell, datasets, rows, **about)


@lru_cache
def _truth(law: str, replicates: int, seed: int) -> tuple[Floats, Floats]:
    """Widths and chances by metric, float64[metrics] each."""
    widths, chances = _plan([population(law)] * TASKS, _TRUE_STUDIES, replicates, seed, 1)
    return widths["width"].to_numpy(), chances["chance"].to_numpy()


def _plan(pilot: Scores, studies: int, replicates: int, seed: int, pilots: int) -> Any:
    return plan(pilot, METRICS, [SIZE], [LIFT], 0.95, studies, replicates, seed, pilots)
