"""Bands of curves of metrics: how often they hold the truth, and what is said of it."""

import numpy as np
import pytest

import surefoot
from surefoot.questions.sample_efficiency.answer import BANDS
from surefoot.statistics.coverage.trust import curve_bands as study
from surefoot.statistics.profiles.curve_bands import curve_remark
from surefoot.statistics.profiles.sample_efficiency import curve_values

LAWS = ("normal", "skewed")


def test_simultaneous_bands_of_medians_and_iqms_hold_the_whole_curve_where_tasks_differ():
    """150 studies of 5 runs of 10 tasks that differ three times as much as runs: the 95 % bands of the median hold at
    least 131 whole curves, those of the IQM 129. With the measured coverages of 94 and 93 % either fails falsely less
    than once in 300 times. Before, the median's held 83 %, as if the runs of all tasks counted."""
    (cell,) = [cell for cell in study.cells() if cell["name"] == "normal walks, spread 3, 5 runs of 10 tasks"]
    failures = study.cover(cell, 150, 300, 8).set_index("method")["failures"]
    assert failures["simultaneous, median"] <= 19 and failures["simultaneous, iqm"] <= 21


@pytest.mark.parametrize("law", LAWS)
def test_the_true_iqm_is_that_of_many_runs(law):
    """200,000 runs of three tasks: within 0.02, some four standard errors."""
    starts, rng = np.array([-4.0, 0.0, 5.0]), np.random.default_rng(1)
    draw = rng.normal if law == "normal" else lambda size: rng.exponential(size=size) - 1.0
    walks = starts[:, None] + draw(size=(200_000, 3, 2)).cumsum(axis=2)
    counted = curve_values(walks, ["iqm"])[:, 0]
    assert [study.true_iqm(law, starts, step) for step in (1, 2)] == pytest.approx(counted, abs=0.02)


@pytest.mark.parametrize("size", ["3 runs of 1", "5 runs of 1", "10 runs of 1", "5 runs of 5"])
def test_simultaneous_bands_hold_curves_that_jump_at_random_steps(size):
    """150 studies. Bands that fail in 5 % do so in more than 17 of 150 less than once in 1,000 times. As multiples of
    each step's own error they failed in 22 to 100 %, since nobody has jumped at first."""
    (cell,) = [cell for cell in study.cells() if cell["name"] == f"jumps, {size} tasks"]
    failures = study.cover(cell, 150, 300, 8).set_index("method")["failures"]
    assert failures["simultaneous, mean"] <= 17 and failures["simultaneous, iqm"] <= 17


def test_remarks_are_for_few_runs_and_bands_without_width():
    walks = np.random.default_rng(2).normal(size=(5, 4, 3)).cumsum(axis=2)
    found = surefoot.sample_efficiency({"a": walks}, metrics=["iqm", "median"], replicates=50, checked=True)
    remarks = {band: found.notes(band)["note"].tolist() for band in BANDS}
    assert "held a step in" in remarks["pointwise"][0] and not remarks["simultaneous"]
    assert curve_remark(20, "pointwise", 0.5, "iqm") == ""
    assert curve_remark(5, "simultaneous", 0.5, "iqm") == "" and "fail" in curve_remark(5, "simultaneous", 0.5, "mean")
    alike = surefoot.sample_efficiency({"a": np.ones((5, 4, 3))}, metrics=["iqm"], replicates=50, checked=True)
    assert all("has no width" in alike.notes(band)["note"].item() for band in BANDS)
    assert "has no width" in alike.finding()
