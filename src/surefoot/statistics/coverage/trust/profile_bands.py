"""How often bands around performance profiles hold the true profile, whole or at one threshold."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Tally, failure_table
from surefoot.statistics.coverage.simulated_scores import simulated_runs
from surefoot.statistics.profiles.bands import BANDS, profile_band, profile_remark
from surefoot.statistics.profiles.performance_profiles import KINDS, replicate_profiles

_SIZES = ((3, 10), (5, 10), (10, 10), (10, 26))
_ROUNDING = 1e-9


def cells() -> list[dict[str, Any]]:
    """Both kinds of profiles; tasks that differ 0 to 10 times as much as runs; few and many runs; other laws."""
    made = []
    for kind in KINDS:
        made += [_cell(kind, "normal", [runs] * tasks, spread) for runs, tasks in _SIZES for spread in (0, 1, 3, 10)]
        for law in ("skewed", "uneven", "tied", "collapsing"):
            made += [_cell(kind, law, [5] * 10, spread) for spread in (0, 3)]
        # Limits of means hold least often where many tasks show no run that collapses and many show some.
        made += [_cell(kind, "collapsing", [10] * tasks, 0) for tasks in (10, 26)]
        made += [_cell(kind, "normal", [2, 3, 5, 10, 20] * 2, spread) for spread in (0, 3)]
        made += [_cell(kind, "normal", [few] + [30] * 9, 3) for few in (1, 3)]
        made += [_cell(kind, "normal", [1] * 10, spread) for spread in (0, 3)]
        made += [_cell(kind, "normal", [5] * 10, 3, thresholds) for thresholds in (1, 5, 201)]
    return made


def _cell(kind: str, law: str, sizes: Sequence[int], spread: float, thresholds: int = 51) -> dict[str, Any]:
    runs = str(sizes[0]) if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    name = f"{kind}, {law}, spread {spread}, {runs} runs of {len(sizes)} tasks, thresholds {thresholds}"
    return {"name": name, "kind": kind, "law": law, "sizes": sizes, "spread": spread, "thresholds": thresholds}


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """How often each band misses the whole true profile, and how often it misses it at one threshold.

    That one is drawn for each data set, among those at which the true profile is between 2 and 98 % (of average scores,
    among all). The whole profile is asked of "simultaneous", one threshold of the other bands.

    Parameters
    ----------
    cell : one of `cells()`; replicates : resamples of each data set, which only "pointwise" needs

    Returns
    -------
    the columns of a study of trust; `width` is the mean over thresholds and data sets
    """
    sizes, kind, thresholds = cell["sizes"], cell["kind"], _grid(cell)
    tally = Tally(datasets)
    for number in range(datasets):
        runs = simulated_runs(cell["law"], sizes, cell["spread"], seed, cell["name"], number)
        truth = runs.profile(thresholds, kind)
        one = _one_threshold(truth, number)
        drawn = replicate_profiles(runs.scores, thresholds, kind, replicates, seed, f"{cell['name']}/{number}")
        for band in BANDS:
            low, high = profile_band(runs.scores, thresholds, kind, band, CONFIDENCE, replicates=drawn)
            beyond = (truth < low - _ROUNDING) | (truth > high + _ROUNDING)
            whole = band == "simultaneous"
            missed, target = (beyond.any(), "whole profile") if whole else (beyond[one], "one threshold")
            remark = profile_remark(runs.scores, kind, band)
            tally.add(f"{band}, {kind}", target, missed, np.mean(high - low), remark)
    rows = tally.rows()
    for row in rows:
        row["recommended"] = not row["method"].startswith("pointwise") and max(sizes) > 1
    data = f"{cell['law']}, tasks differ {cell['spread']} times as much as runs, thresholds {cell['thresholds']}"
    about = {"data": data, "runs": min(sizes), "tasks": len(sizes), "algorithms": 1}
    return failure_table("profile bands", cell, datasets, rows, **about)


def _grid(cell: Mapping[str, Any]) -> Floats:
    if cell["law"] == "tied":
        low, high = -0.5, 4.5
    else:
        high = 2.3 * np.hypot(cell["spread"], 1.0) + 1.5
        low = -high - (12.0 if cell["law"] == "collapsing" else 0.0)
    return np.linspace(low, high, cell["thresholds"]) if cell["thresholds"] > 1 else np.array([0.3])


def _one_threshold(truth: Floats, number: int) -> int:
    inner = np.flatnonzero((truth > 0.02) & (truth < 0.98))
    return inner[number % inner.size] if inner.size else number % truth.size
