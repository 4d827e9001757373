"""Which fraction of runs, or of tasks, scores above each threshold, with bands."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, grid
from surefoot.questions.profiles.settings import Settings
from surefoot.statistics.curve_bands import pointwise_band
from surefoot.statistics.profile_bands import profile_band
from surefoot.statistics.profiles import nonlinear_positions, profile, replicate_profiles
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Performance profiles with pointwise and simultaneous bands.

    Returns
    -------
    columns scores, profile ("run_scores" or "average_scores"), algorithm, threshold, position (on the non-linear axis),
        value, low, high, band_low, band_high (simultaneous). Rows without an algorithm place the ticks of that axis.
    """
    thresholds = grid(settings.thresholds)
    ticks = np.array(settings.ticks, np.float64)
    parts = []
    for name, table in sets.items():
        algorithms = algorithms_of(table, settings.algorithms)
        samples = {algorithm: scores_of(table, algorithm) for algorithm in algorithms}
        for kind in settings.profiles:
            positions = nonlinear_positions([profile(samples[a], thresholds, kind) for a in algorithms])
            for algorithm in algorithms:
                found = _with_bands(
                    samples[algorithm], thresholds, kind, f"{name}/{algorithm}", tasks_of(table), settings, shared
                )
                parts.append(found.assign(scores=name, profile=kind, algorithm=algorithm, position=positions))
            if ticks.size:
                places = nonlinear_positions([profile(samples[a], ticks, kind) for a in algorithms])
                rows = pd.DataFrame({"threshold": ticks, "position": places})
                parts.append(rows.assign(scores=name, profile=kind, algorithm=""))
    columns = ["scores", "profile", "algorithm", "threshold", "position", "value", "low", "high"]
    return pd.concat(parts, ignore_index=True)[[*columns, "band_low", "band_high"]]


def _with_bands(scores, thresholds, kind, name, tasks, settings, shared):
    resampled, confidence = settings.resampled, shared.confidence
    drawn = replicate_profiles(
        scores, thresholds, kind, shared.replicates, shared.seed, name, tasks, resampled, shared.threads
    )
    low, high = pointwise_band(drawn, confidence)
    band_low, band_high = profile_band(scores, thresholds, kind, "simultaneous", confidence, resampled, drawn)
    columns = {"threshold": thresholds, "value": profile(scores, thresholds, kind), "low": low, "high": high}
    return pd.DataFrame(columns | {"band_low": band_low, "band_high": band_high})
