"""Differences between learning curves: values by hand, bands that hold their level, and what is said of them."""

import numpy as np
import pandas as pd
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


def test_bands_of_three_pairs_hold_at_once():
    """150 experiments of three algorithms with the same true curve, noisy walks of twelve steps, five runs of ten
    tasks: all three 95 % bands hold 0 everywhere in at least 132. Were they held in 95 % only, fewer would be seen less
    than once in 1,000 times."""
    rng, held = np.random.default_rng(3), 0
    for experiment in range(150):
        noise = {name: rng.normal(size=(2, 5, 10, 12)) for name in "abc"}
        three = {name: first.cumsum(axis=2) + second for name, (first, second) in noise.items()}
        band = surefoot.curve_differences(three, metrics="mean", replicates=300, seed=experiment).table()
        held += bool(((band["low"] <= 0) & (band["high"] >= 0)).all())
    assert 132 <= held < 150


def test_the_finding_names_the_step_from_which_on_they_are_told_apart():
    found = surefoot.curve_differences(CURVES, metrics="mean", replicates=200)
    said, table = found.finding(), found.table()
    slow = table[(table["x"] == "fast") & (table["y"] == "slow")]
    since = slow.loc[slow["low"] > 0, "step"].min()
    assert said.startswith(
        f"fast, which ends highest, is better than slow from step {since} on; is not separated from middle at any step."
    )
    rows = [
        {"algorithm": name, "environment": "x", "run": run, "step": step, "score": curves[run, 0, step]}
        for name, curves in CURVES.items()
        for run in range(5)
        for step in STEPS
    ]
    turned = surefoot.curve_differences(pd.DataFrame(rows)[::-1], metrics="mean", replicates=200, checked=True)
    assert "better than slow from step" in turned.finding()


def test_one_algorithm_has_no_difference():
    with pytest.raises(ValueError, match=r"a difference is of two, and slow is one\. Hint: name another"):
        surefoot.curve_differences(CURVES, algorithms=["slow"], replicates=9)
