"""How often two success rates are separated wrongly if one looks after every pair of trials, and after how many.

Rates at a grid of tenths from .05 to .95, and up to 500 trials of each, as in the simulation of STEP (Snyder et al.,
arXiv 2503.10966, 2025). A failure separates equal rates, or unlike ones the wrong way around.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Booleans
from surefoot.statistics.comparison.success_rates import pair_evidence
from surefoot.statistics.coverage.failure_rates import failure_table
from surefoot.statistics.coverage.simulated_scores import uniform_numbers

SUBJECT = "sequential success rates"
_LEVEL, _TRIALS = 0.05, 500


def cells() -> list[dict[str, Any]]:
    """Ten equal rates, and 45 pairs of unlike ones."""
    rates = [round(0.05 + 0.1 * step, 2) for step in range(10)]
    return [{"name": f"rates {x:g} and {y:g}", "rates": [x, y]} for x in rates for y in rates if x <= y]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Wrong separations in `datasets` comparisons of a cell; see `surefoot.statistics.coverage.trust`.

    replicates : not used

    Returns
    -------
    the columns of a study of trust, power (the share of comparisons that are decided rightly; NaN of equal rates) and
    used (trials of each until the decision, 500 without one, on average)
    """
    x, y = cell["rates"]
    uniforms = np.array([uniform_numbers((2, _TRIALS), seed, f"{SUBJECT}/{x}/{y}", one) for one in range(datasets)])
    first, second = (uniforms[:, 0] < x).astype(np.float64), (uniforms[:, 1] < y).astype(np.float64)
    evidence = np.stack([pair_evidence(first, second), pair_evidence(second, first)])
    reached: Booleans = np.asarray(evidence >= 2.0 / _LEVEL)
    wrongly, rightly = reached[0].any(axis=1), reached[1].any(axis=1)
    used = np.where(wrongly | rightly, reached.any(axis=0).argmax(axis=1) + 1, _TRIALS)
    failed = wrongly | rightly if x == y else wrongly
    row = {"method": "betting on pairs", "target": "success rate", "failures": int(failed.sum()), "width": np.nan}
    row |= {"recommended": True, "remark": "", "power": np.nan if x == y else rightly.mean(), "used": used.mean()}
    about = {"data": f"gap {y - x:g}", "runs": _TRIALS, "tasks": 1, "algorithms": 2, "nominal": _LEVEL}
    return failure_table(SUBJECT, cell, datasets, [row], **about)
