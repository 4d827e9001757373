"""Performance profiles, computed naively as the methods page prints their formulas."""

from itertools import product

import pytest
from support.naive_formulas import (
    LEVEL,
    NAMES,
    SCORES,
    TABLE,
    TASKS,
    mean,
    one,
    tails,
)

import surefoot
from surefoot.statistics.profiles.performance_profiles import replicate_profiles


def test_formulas_of_profiles():
    thresholds = [0.0, 2.0, 4.0, 4.1, 6.0]
    kinds = ["run_scores", "average_scores"]
    asked = {"thresholds": thresholds, "distributions": kinds, "confidence_level": LEVEL, "n_resamples": 200}
    found = surefoot.performance_profiles(TABLE, **asked)
    for name, t in product(NAMES, thresholds):
        columns = [SCORES[name, task] for task in TASKS]
        wanted = {
            "run_scores": mean(mean(score > t for score in column) for column in columns),
            "average_scores": mean(mean(column) > t for column in columns),
        }
        for kind, value in wanted.items():
            row = one(found.table(), algorithm=name, profile=kind, threshold=t)
            assert row["estimate"] == pytest.approx(value)
            drawn = replicate_profiles(columns, thresholds, kind, 200, 0, f"runs/{name}", TASKS)
            assert [row["low"], row["high"]] == pytest.approx(tails(drawn[:, thresholds.index(t)]))
            assert row["band_low"] <= value <= row["band_high"]
