"""How often intervals of the probability of improvement miss the truth, by number of runs: by placements, and the
percentile intervals of rliable.

X and Y follow the same law in fixed tasks; the uniform number behind a run of X is raised, so that P(X > Y) is known:
where it is u^(1 / c) in place of u, P(X > Y) is c / (c + 1) for scores without ties.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.comparison.improvement import improvement_limits, replicate_improvement
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Tally, failure_table
from surefoot.statistics.coverage.simulated_scores import scores_of, uniform_numbers
from surefoot.statistics.resampling.interval_remarks import improvement_remark
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.ties import exceeds
from surefoot.streams import stream_key

SUBJECT = "improvement intervals"
METHODS = ("placements", "percentile")
_GRID = 2_000


def cells() -> list[dict[str, Any]]:
    """Two equal algorithms, and one that wins in three and in nineteen pairs of four and of twenty."""
    sizes = [(runs, 10) for runs in (2, 3, 5, 10, 30)] + [(3, 26), (10, 26), (5, 1), (10, 1)]
    return [
        {"name": f"{law}, {odds} to 1, {runs} runs of {tasks}", "law": law, "odds": odds, "runs": runs, "tasks": tasks}
        for runs, tasks in sizes
        for law, odds in (("alike", 1), ("alike", 3), ("alike", 19), ("tied", 1), ("tied", 3), ("two_point", 3))
    ]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures in `datasets` data sets of a cell; see `surefoot.statistics.coverage.trust`."""
    shape, truth = (2, cell["runs"], cell["tasks"]), true_probability(cell["law"], cell["odds"], cell["tasks"])
    tally = Tally(datasets)
    for number in range(datasets):
        uniforms = uniform_numbers(shape, seed, cell["name"], number)
        uniforms[0] **= 1.0 / cell["odds"]
        x, y = scores_of(cell["law"], uniforms)
        resampled = int(stream_key(seed, "trust", SUBJECT, cell["name"], number)[0])
        drawn = interval(replicate_improvement(x, y, replicates, resampled), None, "percentile", CONFIDENCE)
        limits = (improvement_limits(x, y, CONFIDENCE), (float(drawn.low), float(drawn.high)))
        for method, (low, high) in zip(METHODS, limits, strict=True):
            tally.add(method, "P(X > Y)", exceeds(low, truth) | exceeds(truth, high), high - low)
    placements, percentile = tally.rows()
    remark = improvement_remark([cell["runs"]] * 2 * cell["tasks"], percentile["width"], CONFIDENCE)
    rows = [placements | {"recommended": True}, percentile | {"recommended": False, "remark": remark}]
    data = f"{cell['law']}, {cell['odds']} to 1"
    return failure_table(SUBJECT, cell, datasets, rows, data=data, algorithms=2)


def true_probability(law: str, odds: float, tasks: int) -> float:
    """P(X > Y), ties counting half, where X is made of u^(1 / odds): by the distributions at the middles of 2,000 equal
    parts of the uniform numbers of either."""
    middles = np.repeat(((np.arange(_GRID) + 0.5) / _GRID)[:, None], tasks, axis=1)
    x, y = (np.sort(scores_of(law, part), axis=0).T for part in (middles ** (1.0 / odds), middles))
    below = [np.searchsorted(b, a, "left") + np.searchsorted(b, a, "right") for a, b in zip(x, y, strict=True)]
    return float(np.mean(below) / (2 * _GRID))
