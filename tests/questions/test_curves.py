"""Learning curves: their steps and differences, those of single runs, and after how many steps these reach a score."""

import numpy as np
import pytest

import surefoot

RNG = np.random.default_rng(8)
STEPS = np.arange(6)


def walks(rise, runs=5, tasks=8):
    """float64[runs, tasks, steps]: a curve of noisy runs that rises."""
    return rise * STEPS + RNG.normal(0, 0.3, (runs, tasks, len(STEPS)))


CURVES = {"slow": walks(0.0), "fast": walks(1.0), "middle": walks(0.98)}


def test_differences_of_curves_hold_together():
    found = surefoot.curve_differences(CURVES, metric="mean", n_resamples=200).table()
    assert found.groupby(["algorithm", "baseline"], sort=False).ngroups == 3
    for (x, y), rows in found.groupby(["algorithm", "baseline"]):
        wanted = CURVES[x].mean(axis=(0, 1)) - CURVES[y].mean(axis=(0, 1))
        assert rows["estimate"].to_numpy() == pytest.approx(wanted)
    two = surefoot.curve_differences(CURVES, metric="mean", n_resamples=200, algorithms=["slow", "fast"]).table()
    three = found[(found["algorithm"] == "fast") & (found["baseline"] == "slow")].reset_index(drop=True)
    assert two["estimate"].to_numpy() == pytest.approx(three["estimate"].to_numpy())
    assert (two["high"] - two["low"] < three["high"] - three["low"]).all()


def test_a_baseline_is_compared_with_each_other_algorithm():
    asked = {"metric": "mean", "n_resamples": 200}
    found = surefoot.curve_differences(CURVES, baseline="middle", **asked)
    table = found.table()
    assert set(map(tuple, table[["algorithm", "baseline"]].to_numpy())) == {("fast", "middle"), ("slow", "middle")}
    pairs = surefoot.curve_differences(CURVES, **asked).table()
    same = pairs.query("algorithm == 'fast' and baseline == 'middle'")["estimate"]
    assert table.query("algorithm == 'fast'")["estimate"].to_numpy() == pytest.approx(same.to_numpy())
    assert found.finding().startswith("Differences between each algorithm and middle. Bands for all steps of these")
    assert "for slow from step 1 on (below it)" in found.finding() and "for fast" not in found.finding()
    assert found.chart()
    for given in ("Middle", "none"):
        with pytest.raises(ValueError, match=f'no scores for "{given}"'):
            surefoot.curve_differences(CURVES, baseline=given, **asked)


def test_curves_of_arrays_are_at_the_steps_that_are_named():
    found = surefoot.sample_efficiency(CURVES, steps=1000 * STEPS, n_resamples=20).table()
    assert sorted(set(found["step"])) == list(1000 * STEPS)
    assert sorted(set(surefoot.sample_efficiency(CURVES, n_resamples=20).table()["step"])) == list(STEPS)
    for bad in ([0, 1], STEPS[::-1], "abcdef"):
        with pytest.raises(ValueError, match=r"Hint: use 6 ascending numbers"):
            surefoot.sample_efficiency(CURVES, steps=bad)
    with pytest.raises(TypeError, match='unknown argument "steps"'):
        surefoot.aggregate_metrics({"a": np.ones((3, 2))}, steps=[1])


def shared_walks(rng, runs, tasks, correlation=0.5, steps=8):
    """float64[runs, tasks, steps]: walks of which each run shares a part between all tasks; their true mean is 0."""
    shared, apart = rng.normal(size=(runs, 1, steps)), rng.normal(size=(runs, tasks, steps))
    return (np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * apart).cumsum(axis=2)


def test_shared_runs_are_declared_found_or_excluded():
    rng = np.random.default_rng(12)
    curves = {name: shared_walks(rng, 8, 12) for name in "ab"}
    resampled = {"n_resamples": 100, "skip_checks": True}
    asked = {"metrics": ["iqm"], **resampled}
    simultaneous = {"band": "simultaneous", **asked}
    differences = {"metric": "iqm", **resampled}
    for question, own in ((surefoot.sample_efficiency, simultaneous), (surefoot.curve_differences, differences)):
        found = question(curves, **own)
        assert set(found.table()["shared_runs"]) == {"found"} and "whole runs" in found.finding()
        assert found.table()["remark"].str.contains("whole runs").all()
        apart = question(curves, shared_runs=False, **own)
        assert set(apart.table()["shared_runs"]) == {"excluded"} and "whole runs" not in apart.finding()
        widths = ((table["high"] - table["low"]).to_numpy() for table in (apart.table(), found.table()))
        assert np.less(*widths).all()
    pointwise = surefoot.sample_efficiency(curves, band="pointwise", **asked)
    assert "do not allow for" in pointwise.table()["remark"].iloc[0] and "do not allow for" in pointwise.finding()
    independent = {"a": rng.normal(size=(3, 12, 8)).cumsum(axis=2)}
    assert (
        "which 3 runs do not rule out"
        in surefoot.sample_efficiency(independent, band="simultaneous", **asked).finding()
    )
    declared = surefoot.sample_efficiency(independent, band="simultaneous", shared_runs=True, **asked)
    assert "Tasks share runs" in declared.finding()
    # Unequal runs, matched by name: the run that one task lacks is left out of the others alone.
    ragged = {"a": [curve[:7] if task else curve for task, curve in enumerate(np.moveaxis(curves["a"], 1, 0))]}
    assert set(surefoot.sample_efficiency(ragged, **asked).table()["shared_runs"]) == {"found"}


def test_bands_that_say_nothing_are_not_drawn():
    """Three runs of one task that jump from 0 to 1: their band is wider than 1."""
    jumps = (np.array([0.1, 0.5, 0.9])[:, None, None] < np.linspace(0, 1, 8)).astype(float)
    found = surefoot.sample_efficiency({"a": jumps}, metrics=["mean"], band="simultaneous", skip_checks=True)
    assert found.table()[["low", "high"]].isna().all(axis=None) and found.table()["estimate"].notna().all()
    assert "than the range of all scores" in found.table()["remark"].iloc[0] and "it is not drawn" in found.finding()
    assert "nan" not in found.finding() and "(" not in found.finding() and found.chart()
    pair = surefoot.curve_differences({"a": jumps, "b": jumps[::-1]}, metric="mean", skip_checks=True)
    assert pair.table()["low"].isna().all() and "it is not drawn" in pair.finding() and pair.chart()
    many = np.tile(jumps, (10, 1, 1))
    assert surefoot.sample_efficiency({"a": many}, band="simultaneous", skip_checks=True).table()["low"].notna().all()
