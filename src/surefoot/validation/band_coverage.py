"""Coverage of bands around performance profiles and curves of metrics, and of the band of a plan.

profile_bands : bands around performance profiles, for the whole profile or at one threshold
curve_bands : bands around curves of metrics, for the whole curve or at one step. A run of task m is a random walk of
    eight steps from a_m = spread sqrt(8) x_m, with equally spaced x_m from -1.7 to 1.7. Its steps are standard normal,
    or exponential with mean 0 ("skewed"). In "jumps", a run jumps from 0 to 1 at a uniformly drawn step. As tasks are
    fixed, the true mean, median and IQM of each step are known in closed form.
planning_band : the band of a plan for the number of runs. A pilot of few runs is drawn from a known distribution and
    used for planning. The truth is the plan for a pilot that equals the distribution: the mean width of an interval,
    and the probability of detecting a lift. The target "fresh study" tests `runs_to_settle`. Two pilots are assumed to
    differ by 1.5 standard errors, and a study with the planned number of fresh runs is drawn with this true difference.
    It fails if it does not detect the difference. At most 20 % should fail.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import gammainc, ndtr, ndtri, stdtrit

from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.comparison.fresh_runs import POWER, runs_to_settle
from surefoot.statistics.comparison.metric_differences import difference_errors
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Outcome, Study, failure_table, tally
from surefoot.statistics.coverage.simulated_scores import (
    LAWS,
    population,
    simulated_runs,
    simulated_scores,
    uniform_numbers,
)
from surefoot.statistics.profiles.bands import BANDS, profile_band, profile_remark
from surefoot.statistics.profiles.metric_curves import (
    curve_remark,
    curve_values,
    replicate_curves,
    simultaneous_curve_bands,
)
from surefoot.statistics.profiles.performance_profiles import KINDS, replicate_profiles
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.run_planning import BAND_CONFIDENCE, plan
from surefoot.statistics.runs.samples import Scores

_SIZES = ((3, 10), (5, 10), (10, 10), (10, 26))
_ROUNDING = 1e-9


def _profile_cells() -> list[dict[str, Any]]:
    """Return cases with different kinds of profiles, distributions, numbers of runs, and numbers of thresholds."""
    cells = []
    for kind in KINDS:
        cases: list[tuple[str, Sequence[int], int, int]] = []
        cases += [("normal", [runs] * tasks, spread, 51) for runs, tasks in _SIZES for spread in (0, 1, 3, 10)]
        for law in ("skewed", "uneven", "tied", "collapsing"):
            cases += [(law, [5] * 10, spread, 51) for spread in (0, 3)]
        # The limits of means have the lowest coverage if some runs collapse on many tasks, while no run collapses on
        # many other tasks.
        cases += [("collapsing", [10] * tasks, 0, 51) for tasks in (10, 26)]
        cases += [("normal", [2, 3, 5, 10, 20] * 2, spread, 51) for spread in (0, 3)]
        cases += [("normal", [few] + [30] * 9, 3, 51) for few in (1, 3)]
        cases += [("normal", [1] * 10, spread, 51) for spread in (0, 3)]
        cases += [("normal", [5] * 10, 3, thresholds) for thresholds in (1, 5, 201)]
        for law, sizes, spread, thresholds in cases:
            runs = str(sizes[0]) if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
            name = f"{kind}, {law}, spread {spread}, {runs} runs of {len(sizes)} tasks, thresholds {thresholds}"
            cell = {"name": name, "kind": kind, "law": law, "sizes": sizes, "spread": spread}
            cells.append(cell | {"thresholds": thresholds})
    return cells


def _cover_profiles(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count how often each band does not contain the true profile, at all thresholds or at one threshold.

    The band "simultaneous" must contain the profile at all thresholds, and each other band at one threshold. Data sets
    use different thresholds at which the true profile is between 2 and 98 % (any threshold if there are none). The
    width is the mean over thresholds and data sets.
    """
    sizes = cell["sizes"]
    kind = cell["kind"]
    high = 2.3 * np.hypot(cell["spread"], 1.0) + 1.5
    ends = {"tied": (-0.5, 4.5), "collapsing": (-high - 12.0, high)}.get(cell["law"], (-high, high))
    thresholds = np.linspace(*ends, cell["thresholds"]) if cell["thresholds"] > 1 else np.array([0.3])
    outcomes = []
    for number in range(datasets):
        runs = simulated_runs(cell["law"], sizes, cell["spread"], seed, cell["name"], number)
        truth = runs.profile(thresholds, kind)
        inner = np.flatnonzero((truth > 0.02) & (truth < 0.98))
        one = inner[number % inner.size] if inner.size else number % truth.size
        drawn = replicate_profiles(runs.scores, thresholds, kind, n_resamples, seed, f"{cell['name']}/{number}")
        for band in BANDS:
            low, high = profile_band(runs.scores, thresholds, kind, band, CONFIDENCE, replicates=drawn)
            beyond = (truth < low - _ROUNDING) | (truth > high + _ROUNDING)
            whole = band == "simultaneous"
            missed, target = (beyond.any(), "whole profile") if whole else (beyond[one], "one threshold")
            remark = profile_remark(runs.scores, kind, band)
            outcomes.append(Outcome(f"{band}, {kind}", target, missed, np.mean(high - low), remark))
    rows = tally(outcomes, lambda row: not row["method"].startswith("pointwise") and max(sizes) > 1)
    data = f"{cell['law']}, tasks differ {cell['spread']} times as much as runs, thresholds {cell['thresholds']}"
    about = {"data": data, "runs": min(sizes), "tasks": len(sizes), "algorithms": 1}
    return failure_table("profile bands", cell, datasets, rows, **about)


profile_bands = Study(_profile_cells(), _cover_profiles)


_METRICS = ("mean", "iqm", "median")
_STEPS = 8
_JUMPING = ((3, 1), (5, 1), (10, 1), (3, 5), (5, 5), (10, 5))


_CURVES = [("normal", *size, spread) for size in _SIZES for spread in (0, 3)]
_CURVES += [("skewed", 5, 10, 0), ("skewed", 5, 10, 3), *(("jumps", *size, 0) for size in _JUMPING)]
_CURVE_CELLS = [
    {"name": f"{law}{'' if law == 'jumps' else f' walks, spread {spread}'}, {runs} runs of {tasks} tasks"}
    | {"law": law, "runs": runs, "tasks": tasks, "spread": spread}
    for law, runs, tasks, spread in _CURVES
]
"""Cases with different distributions of the steps, numbers of runs and tasks, and spreads of tasks."""


def _cover_curves(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count how often each band does not contain the true curve, at all steps or at one step.

    The simultaneous band must contain the curve at all steps, and the pointwise band at one step, which differs between
    data sets. The width is the mean over steps and data sets.
    """
    runs = cell["runs"]
    tasks = cell["tasks"]
    jumps = cell["law"] == "jumps"
    starts = cell["spread"] * np.sqrt(_STEPS) * np.linspace(-1.7, 1.7, tasks)
    jumped = (np.arange(_STEPS) + 0.5) / _STEPS
    if jumps:
        truth = {"mean": jumped, "median": jumped, "iqm": np.clip(2.0 * jumped - 0.5, 0.0, 1.0)}
    else:
        truth = {"mean": np.full(_STEPS, starts.mean()), "median": np.full(_STEPS, np.median(starts))}
        truth["iqm"] = np.array([true_iqm(cell["law"], starts, step) for step in range(1, _STEPS + 1)])
    outcomes = []
    for number in range(datasets):
        uniforms = uniform_numbers((runs * tasks * _STEPS,), seed, cell["name"], number)
        steps = ndtri(uniforms) if cell["law"] == "normal" else -np.log1p(-uniforms) - 1.0
        curves = starts[:, None] + steps.reshape(runs, tasks, _STEPS).cumsum(axis=2)
        if jumps:
            curves = (uniforms.reshape(runs, tasks, _STEPS)[:, :, :1] < jumped).astype(np.float64)
        values = curve_values(curves, _METRICS)
        drawn = replicate_curves(curves, _METRICS, n_resamples, seed, f"{cell['name']}/{number}")
        for k, metric in enumerate(_METRICS):
            replicated = drawn[:, :, k]
            value = values[:, k]
            (whole,) = simultaneous_curve_bands([replicated], [value], [[runs] * tasks], CONFIDENCE, metric)
            one = interval(replicated, None, "percentile", CONFIDENCE)
            beyond = [(truth[metric] < low) | (truth[metric] > high) for low, high in (whole, one)]
            width = np.mean(whole[1] - whole[0])
            outcomes.append(Outcome(f"simultaneous, {metric}", "whole curve", beyond[0].any(), width, ""))
            width = np.mean(one[1] - one[0])
            outcomes.append(Outcome(f"pointwise, {metric}", "one step", beyond[1][number % _STEPS], width, ""))
    rows = tally(outcomes, lambda row: row["method"].startswith("simultaneous"))
    for row in rows:
        band, metric = row["method"].split(", ")
        row["remark"] = curve_remark(runs, band, row["width"], metric)
    data = f"{cell['law']} walks, tasks differ {cell['spread']} times as much as runs"
    data = "runs that jump at random steps" if jumps else data
    return failure_table("curve bands", cell, datasets, rows, data=data, algorithms=1)


def true_iqm(law: str, starts: Floats, step: int) -> float:
    """Compute the true IQM after `step` steps of the random walks, with equal weights for the tasks."""
    if law == "normal":
        scale = np.sqrt(step)

        def below(x: Floats) -> Floats:
            return ndtr((x - starts) / scale)

        def total_below(x: Floats) -> Floats:  # E[score; score < x]
            z = (x - starts) / scale
            return starts * ndtr(z) - scale * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)

    else:  # a sum of exponential variates has a gamma distribution

        def below(x: Floats) -> Floats:
            return gammainc(step, np.maximum(x - starts + step, 0.0))

        def total_below(x: Floats) -> Floats:
            return (starts - step) * below(x) + step * gammainc(step + 1, np.maximum(x - starts + step, 0.0))

    reach = np.abs(starts).max() + 60.0
    low, high = (brentq(lambda x, q=q: below(x).mean() - q, -reach, reach, xtol=1e-12) for q in (0.25, 0.75))
    return float(np.mean(total_below(high) - total_below(low)) / 0.5)


curve_bands = Study(_CURVE_CELLS, _cover_curves)


_PLANNED = ("mean", "iqm")
_SIZE = 10
_LIFT = 25.0
_TASKS = 5
_STUDIES = 20
_PILOTS = 50
_OPEN = 1.5
"""Difference between two pilots, divided by its standard error."""
_TRUE_STUDIES = 1000


_PILOT_CELLS = [
    {"name": f"{law}, pilot of {runs} runs", "law": law, "runs": runs} for law in LAWS for runs in (3, 5, 10, 20)
]
"""Cases with different distributions of scores, and numbers of runs of the pilot."""


def _cover_plans(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count how often the band of a plan misses the true width and detection rate, and how often fresh studies fail.

    Additional columns: above, below (how often the truth is above and below the band), truth, off (mean absolute error
    of the prediction). For the target "width", off and the width of the band are relative to the truth.
    """
    true_widths, true_chances = _truth(cell["law"], n_resamples, seed)
    predictions: dict[str, list[Floats]] = {"width": [], "chance": []}
    for number in range(datasets):
        pilot = simulated_scores(cell["law"], cell["runs"], _TASKS, 0.0, seed, cell["name"], number)
        widths, chances = _plan(pilot, _STUDIES, n_resamples, seed + number, _PILOTS)
        predictions["width"].append(widths[["low", "width", "high"]].to_numpy() / true_widths[:, None])
        predictions["chance"].append(chances[["low", "chance", "high"]].to_numpy())
    rows = []
    for target, truth, exact in (
        ("width", np.ones(len(_PLANNED)), true_widths),
        ("chance", true_chances, true_chances),
    ):
        low, middle, high = np.moveaxis(np.array(predictions[target]), 2, 0)
        for k, name in enumerate(_PLANNED):
            above = int((truth > high)[:, k].sum())
            below = int((truth < low)[:, k].sum())
            row = {"method": f"band of the pilot, {name}", "target": target, "failures": above + below}
            row |= {"width": (high - low)[:, k].mean(), "recommended": True, "above": above, "below": below}
            rows.append(row | {"truth": exact[k], "off": np.abs(middle[:, k] - truth[k]).mean()})
    shown = np.array([_fresh_study(cell, number, n_resamples, seed) for number in range(datasets)])
    rows += [
        {"method": f"runs to settle, {name}", "target": "fresh study", "failures": int((~shown[:, k]).sum())}
        | {"recommended": True, "nominal": 1.0 - POWER}
        for k, name in enumerate(_PLANNED)
    ]
    about = {"data": cell["law"], "tasks": _TASKS, "algorithms": 1, "nominal": 1.0 - BAND_CONFIDENCE}
    return failure_table("planning", cell, datasets, rows, **about)


def _fresh_study(cell: dict[str, Any], number: int, n_resamples: int, seed: int) -> Booleans:
    """Check whether a study, with the runs planned from two pilots, detects their assumed difference, bool[metrics]."""

    def analysed(runs: int, side: str) -> tuple[Floats, Floats, Floats]:
        name = f"{cell['name']}/{side}"
        scores = simulated_scores(cell["law"], runs, _TASKS, 0.0, seed, name, number)
        drawn = replicate_metrics(scores, _PLANNED, n_resamples, seed + number, name)
        errors, degrees = standard_errors(scores, _PLANNED, "runs", drawn)
        return metric_values(scores, _PLANNED), errors, degrees

    _, errors, degrees = zip(*(analysed(cell["runs"], f"pilot {side}") for side in "xy"), strict=True)
    error, together = difference_errors(*errors, *degrees)
    side = 0.5 + 0.5 * CONFIDENCE
    planned, _, _ = runs_to_settle(_OPEN * error, error, together, cell["runs"], side)
    shown = np.zeros(len(_PLANNED), bool)
    for k, runs in enumerate(planned):
        if np.isfinite(runs):  # infinite or NaN if the runs of a pilot are equal
            values, errors, degrees = zip(*(analysed(int(runs), f"{k} {side}") for side in "xy"), strict=True)
            fresh_error, freedom = difference_errors(*errors, *degrees)
            difference = values[0][k] - values[1][k] + _OPEN * error[k]
            shown[k] = difference > stdtrit(freedom[k], side) * fresh_error[k]
    return shown


@lru_cache
def _truth(law: str, n_resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return true widths of intervals, and true probabilities of detecting the improvement, float64[metrics] each."""
    widths, chances = _plan([population(law)] * _TASKS, _TRUE_STUDIES, n_resamples, seed, 1)
    return widths["width"].to_numpy(), chances["chance"].to_numpy()


def _plan(pilot: Scores, studies: int, n_resamples: int, seed: int, pilots: int) -> Any:
    return plan(pilot, _PLANNED, [_SIZE], [_LIFT], 0.95, studies, n_resamples, seed, pilots)


planning_band = Study(_PILOT_CELLS, _cover_plans)
