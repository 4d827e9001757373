"""Learning curves: their steps, and their differences by hand."""

import numpy as np
import pytest

import surefoot

RNG = np.random.default_rng(8)
STEPS = np.arange(6)


def walks(rise, runs=5, tasks=8):
    """float64[runs, tasks, steps]: a curve of noisy runs that rises."""
    return rise * STEPS + RNG.normal(0, 0.3, (runs, tasks, len(STEPS)))


CURVES = {"slow": walks(0.0), "fast": walks(1.0), "middle": walks(0.98)}


def test_values_are_differences_of_curves_and_pairs_hold_together():
    found = surefoot.curve_differences(CURVES, metrics="mean", replicates=200).table()
    assert found.groupby(["x", "y"], sort=False).ngroups == 3
    for (x, y), rows in found.groupby(["x", "y"]):
        wanted = CURVES[x].mean(axis=(0, 1)) - CURVES[y].mean(axis=(0, 1))
        assert rows["value"].to_numpy() == pytest.approx(wanted)
    two = surefoot.curve_differences(CURVES, metrics="mean", replicates=200, algorithms=["slow", "fast"]).table()
    three = found[(found["x"] == "fast") & (found["y"] == "slow")].reset_index(drop=True)
    assert two["value"].to_numpy() == pytest.approx(three["value"].to_numpy())
    assert (two["high"] - two["low"] < three["high"] - three["low"]).all()


def test_curves_of_arrays_are_at_the_steps_that_are_named():
    found = surefoot.sample_efficiency(CURVES, steps=1000 * STEPS, replicates=20).table()
    assert sorted(set(found["step"])) == list(1000 * STEPS)
    assert sorted(set(surefoot.sample_efficiency(CURVES, replicates=20).table()["step"])) == list(STEPS)
    for bad in ([0, 1], STEPS[::-1], "abcdef"):
        with pytest.raises(ValueError, match=r"Hint: 6 ascending numbers"):
            surefoot.sample_efficiency(CURVES, steps=bad)
    with pytest.raises(TypeError, match="no argument steps"):
        surefoot.aggregates({"a": np.ones((3, 2))}, steps=[1])
