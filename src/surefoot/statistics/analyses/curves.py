"""Curves with bands: performance profiles, sample efficiency, optimality gaps (Agarwal et al. 2021, section 4)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, grid, scores_of, tasks_of
from surefoot.statistics.curve_bands import pointwise_band
from surefoot.statistics.metrics import Metric
from surefoot.statistics.profile_bands import profile_band
from surefoot.statistics.profiles import nonlinear_positions, profile, replicate_profiles
from surefoot.statistics.sample_efficiency import curve_values, replicate_curves
from surefoot.statistics.stratified_bootstrap import metric_values

Sets = Mapping[str, pd.DataFrame]


def profiles(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Performance profiles with pointwise and simultaneous bands.

    Returns
    -------
    columns scores, profile ("run_scores" or "average_scores"), algorithm, threshold, position (on the non-linear axis),
        value, low, high, band_low, band_high (simultaneous). Rows without an algorithm place the ticks of that axis.
    """
    thresholds = grid(options)
    ticks = np.array(options.get("ticks", []), np.float64)
    parts = []
    for name, table in sets.items():
        algorithms = algorithms_of(table, options)
        samples = {algorithm: scores_of(table, algorithm) for algorithm in algorithms}
        for kind in options.get("profiles", ["run_scores"]):
            positions = nonlinear_positions([profile(samples[a], thresholds, kind) for a in algorithms])
            for algorithm in algorithms:
                found = _with_bands(
                    samples[algorithm], thresholds, kind, f"{name}/{algorithm}", tasks_of(table), options
                )
                parts.append(found.assign(scores=name, profile=kind, algorithm=algorithm, position=positions))
            if ticks.size:
                places = nonlinear_positions([profile(samples[a], ticks, kind) for a in algorithms])
                rows = pd.DataFrame({"threshold": ticks, "position": places})
                parts.append(rows.assign(scores=name, profile=kind, algorithm=""))
    columns = ["scores", "profile", "algorithm", "threshold", "position", "value", "low", "high"]
    return pd.concat(parts, ignore_index=True)[[*columns, "band_low", "band_high"]]


def _with_bands(scores, thresholds, kind, name, tasks, options):
    resampled, confidence = options.get("resampled", "runs"), options["confidence"]
    drawn = replicate_profiles(
        scores, thresholds, kind, options["replicates"], options["seed"], name, tasks, resampled, options["threads"]
    )
    low, high = pointwise_band(drawn, confidence)
    band_low, band_high = profile_band(scores, thresholds, kind, "simultaneous", confidence, resampled, drawn)
    columns = {"threshold": thresholds, "value": profile(scores, thresholds, kind), "low": low, "high": high}
    return pd.DataFrame(columns | {"band_low": band_low, "band_high": band_high})


def sample_efficiency(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Metrics at each of some numbers of frames: columns algorithm, frames, metric, value, low, high, runs, tasks."""
    (table,) = sets.values()
    metrics, frames = options["metrics"], sorted(set(table["frames"]))
    parts = []
    for algorithm in algorithms_of(table, options):
        rows = table[table["algorithm"] == algorithm]
        curves = [
            game.pivot(index="run", columns="frames", values="score")[frames].to_numpy(np.float64)
            for _, game in rows.groupby("environment")
        ]
        values = curve_values(curves, metrics)
        drawn = replicate_curves(
            curves, metrics, options["replicates"], options["seed"], algorithm, tasks_of(table), options["threads"]
        )
        for place, name in enumerate(metrics):
            low, high = pointwise_band(drawn[:, :, place], options["confidence"])
            curve = {"frames": frames, "value": values[:, place], "low": low, "high": high}
            parts.append(pd.DataFrame(curve).assign(algorithm=algorithm, metric=name, runs=len(curves[0])))
    table = pd.concat(parts, ignore_index=True).assign(tasks=len(curves))
    return table[["algorithm", "frames", "metric", "value", "low", "high", "runs", "tasks"]]


def gap_curve(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Optimality gap below a target gamma, as a fraction of it: columns algorithm, gamma, value."""
    (table,) = sets.values()
    gammas = grid(options)
    parts = []
    for algorithm in algorithms_of(table, options):
        gaps = metric_values(scores_of(table, algorithm), [Metric("optimality_gap", gamma) for gamma in gammas])
        parts.append(pd.DataFrame({"algorithm": algorithm, "gamma": gammas, "value": gaps / gammas}))
    return pd.concat(parts, ignore_index=True)
