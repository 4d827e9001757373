"""How often group-sequential comparisons separate equal algorithms, and what they find with how few runs.

Five looks at groups of five runs, of two or three algorithms that are equal, or of which one is better by two standard
deviations of a run's mean over tasks. A failure separates two equal algorithms.
"""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.comparison.group_sequential import group_sequential
from surefoot.statistics.coverage.failure_rates import failure_table
from surefoot.statistics.coverage.simulated_scores import scores_of, uniform_numbers
from surefoot.streams import stream_key

SUBJECT = "group sequential"
_LEVEL, _LOOKS, _GROUP = 0.05, 5, 5
_BETTER, _PILOTS = 2.0, 1000
_LAWS = ("alike", "skewed", "failures", "tied", "two_point")


def cells() -> list[dict[str, Any]]:
    """Five laws of scores, two and three algorithms, one task and five."""
    return [
        {"name": f"{count} {law}, {tasks} tasks{', one better' * better}", "law": law, "count": count, "tasks": tasks}
        | {"better": better}
        for law in _LAWS
        for count in (2, 3)
        for tasks in (1, 5)
        for better in (False, True)
    ]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """False separations in `datasets` comparisons of a cell; see `surefoot.statistics.coverage.trust`.

    replicates : not used

    Returns
    -------
    the columns of a study of trust, power (the share of the pairs that differ which are separated; NaN where all are
    equal) and used (runs of an algorithm, on average)
    """
    found = np.array([_decided(cell, number, seed) for number in range(datasets)])
    row = {"method": "permutations", "target": "any pair", "failures": int(found[:, 0].sum()), "width": np.nan}
    row |= {"recommended": True, "remark": "", "power": found[:, 1].mean(), "used": found[:, 2].mean()}
    about = {"data": cell["law"], "runs": _LOOKS * _GROUP, "algorithms": cell["count"], "nominal": _LEVEL}
    return failure_table(SUBJECT, cell, datasets, [row], **about)


def _decided(cell: dict[str, Any], number: int, seed: int) -> tuple[float, float, float]:
    """(whether equal algorithms are separated, the share of true differences found, runs used)."""
    shape = (cell["count"], _LOOKS * _GROUP, cell["tasks"])
    means = scores_of(cell["law"], uniform_numbers(shape, seed, f"{SUBJECT}/{cell['name']}", number)).mean(axis=-1)
    if cell["better"]:
        pilot = uniform_numbers((_PILOTS, cell["tasks"]), seed, f"{SUBJECT}/{cell['name']}/pilot", 0)
        means[0] += _BETTER * scores_of(cell["law"], pilot).mean(axis=-1).std()
    key = int(stream_key(seed, "trust", SUBJECT, cell["name"], number)[0] % 2**31)
    found = group_sequential(means.reshape(cell["count"], _LOOKS, _GROUP), _LOOKS, 1.0 - _LEVEL, key)
    differ = (found.x == 0) & cell["better"]
    apart = found.separated > 0
    power = float(apart[differ].mean()) if differ.any() else np.nan
    return float(apart[~differ].any()), power, _GROUP * float(found.groups.mean())
