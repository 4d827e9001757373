"""How often bands around curves of metrics hold the true curve, whole or at one step.

A run of task m is a random walk of eight steps from a_m = spread sqrt(8) x_m, with x_m equally far apart from -1.7 to
1.7; its steps are standard normal, or exponential with mean 0 ("skewed"). Or it jumps from 0 to 1 at a step that is
drawn uniformly. As tasks are fixed, the true mean, median and IQM of each step are known in closed form.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import gammainc, ndtr, ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.failure_rates import Tally, failure_table
from surefoot.statistics.coverage.simulated_scores import uniform_numbers
from surefoot.statistics.profiles.curves import (
    curve_remark,
    curve_values,
    pointwise_band,
    replicate_curves,
    simultaneous_curve_bands,
)

CONFIDENCE = 0.95
METRICS = ("mean", "iqm", "median")
_STEPS = 8
_SIZES = ((3, 10), (5, 10), (10, 10), (10, 26))
_JUMPING = ((3, 1), (5, 1), (10, 1), (3, 5), (5, 5), (10, 5))


def cells() -> list[dict[str, Any]]:
    """Few to many runs, tasks that differ as much as runs or more, and skewed steps."""
    cases = [("normal", *size, spread) for size in _SIZES for spread in (0, 3)]
    cases += [("skewed", 5, 10, 0), ("skewed", 5, 10, 3)]
    walks = [
        {"name": f"{law} walks, spread {spread}, {runs} runs of {tasks} tasks"}
        | {"law": law, "runs": runs, "tasks": tasks, "spread": spread}
        for law, runs, tasks, spread in cases
    ]
    jumps = [
        {"name": f"jumps, {runs} runs of {tasks} tasks", "law": "jumps", "runs": runs, "tasks": tasks, "spread": 0}
        for runs, tasks in _JUMPING
    ]
    return walks + jumps


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """How often the simultaneous band misses the whole true curve, and the pointwise one a step of it.

    The step is another one for each data set, in turn.

    Parameters
    ----------
    cell : one of `cells()`; replicates : resamples of each data set

    Returns
    -------
    the columns of a study of trust; `width` is the mean over steps and data sets
    """
    runs, tasks, jumps = cell["runs"], cell["tasks"], cell["law"] == "jumps"
    starts = cell["spread"] * np.sqrt(_STEPS) * np.linspace(-1.7, 1.7, tasks)
    jumped = (np.arange(_STEPS) + 0.5) / _STEPS
    if jumps:
        truth = {"mean": jumped, "median": jumped, "iqm": np.clip(2.0 * jumped - 0.5, 0.0, 1.0)}
    else:
        truth = {"mean": np.full(_STEPS, starts.mean()), "median": np.full(_STEPS, np.median(starts))}
        truth["iqm"] = np.array([true_iqm(cell["law"], starts, step) for step in range(1, _STEPS + 1)])
    tally = Tally(datasets)
    for number in range(datasets):
        uniforms = uniform_numbers((runs * tasks * _STEPS,), seed, cell["name"], number)
        steps = ndtri(uniforms) if cell["law"] == "normal" else -np.log1p(-uniforms) - 1.0
        curves = starts[:, None] + steps.reshape(runs, tasks, _STEPS).cumsum(axis=2)
        if jumps:
            curves = (uniforms.reshape(runs, tasks, _STEPS)[:, :, :1] < jumped).astype(np.float64)
        values = curve_values(curves, METRICS)
        drawn = replicate_curves(curves, METRICS, replicates, seed, f"{cell['name']}/{number}")
        for k, metric in enumerate(METRICS):
            replicated, value = drawn[:, :, k], values[:, k]
            (whole,) = simultaneous_curve_bands([replicated], [value], [[runs] * tasks], CONFIDENCE, metric)
            one = pointwise_band(replicated, CONFIDENCE)
            beyond = [(truth[metric] < low) | (truth[metric] > high) for low, high in (whole, one)]
            tally.add(f"simultaneous, {metric}", "whole curve", beyond[0].any(), np.mean(whole[1] - whole[0]))
            tally.add(f"pointwise, {metric}", "one step", beyond[1][number % _STEPS], np.mean(one[1] - one[0]))
    rows = tally.rows()
    for row in rows:
        band, metric = row["method"].split(", ")
        row |= {"recommended": band == "simultaneous", "remark": curve_remark(runs, band, row["width"], metric)}
    data = f"{cell['law']} walks, tasks differ {cell['spread']} times as much as runs"
    data = "runs that jump at random steps" if jumps else data
    return failure_table("curve bands", cell, datasets, rows, data=data, algorithms=1)


def true_iqm(law: str, starts: Floats, step: int) -> float:
    """Mean of the middle half of all scores after so many steps, the tasks having equal weights."""
    if law == "normal":
        scale = np.sqrt(step)

        def below(x: Floats) -> Floats:
            return ndtr((x - starts) / scale)

        def total_below(x: Floats) -> Floats:  # E[score; score < x]
            z = (x - starts) / scale
            return starts * ndtr(z) - scale * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)

    else:  # the sum of exponential numbers is gamma

        def below(x: Floats) -> Floats:
            return gammainc(step, np.maximum(x - starts + step, 0.0))

        def total_below(x: Floats) -> Floats:
            return (starts - step) * below(x) + step * gammainc(step + 1, np.maximum(x - starts + step, 0.0))

    reach = np.abs(starts).max() + 60.0
    low, high = (brentq(lambda x, q=q: below(x).mean() - q, -reach, reach, xtol=1e-12) for q in (0.25, 0.75))
    return float(np.mean(total_below(high) - total_below(low)) / 0.5)
