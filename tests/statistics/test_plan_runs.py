"""How many runs: widths and chances beside the normal approximation.

The band of a plan: against the spread of plans from many pilots, and how often it holds the truth.
"""

import numpy as np
import pytest
from scipy.stats import t

import surefoot
from surefoot.statistics.coverage.failure_rates import fraction_error
from surefoot.statistics.plan_runs import plan
from surefoot.validation.sequential import sequential_level

PILOT = np.random.default_rng(0).normal(10.0, 2.0, (25, 4))


def test_a_plan_predicts_the_interval_that_a_report_prints():
    """One task, 3 runs: the mean width of studies is that of `student` over fresh samples within 5 % (their standard
    error is 1.5 %); a percentile interval is less than half as wide."""
    scores = np.random.default_rng(1).normal(10.0, 2.0, (4000, 1))
    predicted = plan(scores, ["mean"], [3], [0.0], studies=400, n_resamples=200)[0]["width"][0]
    deviation = t.ppf(0.975, 2) / np.sqrt(3) * 2.0 * np.sqrt(np.pi) / 2  # the mean of s is 0.886 sigma with 3 runs
    assert predicted == pytest.approx(2 * deviation, rel=0.08)
    runs = {"a": scores[:3], "b": scores[3:6]}
    printed = surefoot.aggregate_metrics(runs, metrics="mean", methods="student", n_resamples=2000).table().iloc[0]
    of_runs = plan(scores[:3], ["mean"], [3], [0.0], studies=400, n_resamples=200)[0]
    assert of_runs["low"][0] < printed["high"] - printed["low"] < of_runs["high"][0]


def test_more_runs_detect_more():
    widths, chances = plan(PILOT, ["iqm", "optimality_gap(12)"], [2, 30], [10.0], studies=40, n_resamples=100)
    assert (widths.loc[widths["runs"] == 30, "width"].to_numpy() < widths.loc[widths["runs"] == 2, "width"]).all()
    iqm = chances[chances["metric"] == "iqm"].set_index("runs")["chance"]
    assert iqm[30] >= 0.9 > iqm[2]
    gap = chances[chances["metric"] == "optimality_gap(12)"].set_index("runs")["chance"]
    assert gap[30] >= 0.9 > gap[2]  # a lift lowers it


def test_negative_scores_are_planned_without_lifts():
    widths, chances = plan(PILOT - 20, ["iqm"], [5], [0.0], studies=5, n_resamples=50)
    assert (widths["width"] > 0).all() and chances["lift_percent"].tolist() == [0.0]
    mostly_positive = plan(PILOT - 8, ["iqm"], [5], [100.0], studies=5, n_resamples=50)[1]
    assert (PILOT < 8).any() and (mostly_positive["chance"] > 0).all()


UNEQUAL = {"a": [PILOT[:8, 0] + 2.0, PILOT[:6, 1] + 2.0], "b": [PILOT[8:16, 0], PILOT[8:14, 1]]}
"""Two tasks with 8 and 6 runs."""


def test_plans_are_of_the_first_algorithm_by_default():
    asked = {"sizes": [3, 12], "lifts": [0.0, 30.0], "datasets": 20, "n_resamples": 60, "skip_checks": True}
    found = surefoot.plan_runs(UNEQUAL, **asked)
    table = found.table()
    assert set(table["algorithm"]) == {"a"} and set(table["quantity"]) == {"width", "chance"}
    assert (table[["pilot_low", "pilot_high", "tasks"]] == [6, 8, 2]).all(axis=None)
    assert len(table) == 2 * 2 * (1 + 2) and "pilot" in found.notes()["note"][0]
    for low, high in (("low", "high"), ("inner_low", "inner_high")):
        assert (table[low] <= table["estimate"]).all() and (table["estimate"] <= table[high]).all()
    both = surefoot.plan_runs(UNEQUAL, algorithms=["b", "a"], **asked).table()
    assert list(dict.fromkeys(both["algorithm"])) == ["b", "a"]


def test_rounds_are_those_that_all_tasks_have():
    asked = {"algorithms": ["a", "b"], "confidence_level": 0.9, "n_resamples": 60, "skip_checks": True}
    found = surefoot.sequential_comparison(UNEQUAL, tasks_independent=True, **asked).table()
    assert found["round"].tolist() == [1, 2, 3, 4, 5, 6] and (found["left_out"] == 2).all()
    wins = [np.mean(x[:3] > y[:3]) for x, y in zip(UNEQUAL["a"], UNEQUAL["b"], strict=True)]
    assert found["estimate"][2] == pytest.approx(np.mean(wins))
    assert np.isnan(found["ordinary_low"][0]) and found["ordinary_low"][1:].notna().all()
    assert found["tasks_counted_separately"].all() and (found["inflation_low"] <= found["inflation_high"]).all()
    assert (
        not surefoot.sequential_comparison(UNEQUAL, tasks_independent="auto", **asked)
        .table()["tasks_counted_separately"]
        .any()
    )
    assert found["decided"].tolist() == ((found["low"] > 0.5) | (found["high"] < 0.5)).tolist()
    other = surefoot.sequential_comparison(
        UNEQUAL, tasks_independent=True, **asked | {"algorithms": ["b", "a"]}
    ).table()
    assert other["estimate"].to_numpy() == pytest.approx(1 - found["estimate"].to_numpy())
    assert other["low"].to_numpy() == pytest.approx(1 - found["high"].to_numpy(), abs=1e-6)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        (r"raised by 25 % take iqm from -9.* which is worse\. Hint: .* normalize", lambda: plan(PILOT - 20)),
        ("a / 0 has one run, and a pilot needs a spread", lambda: surefoot.plan_runs({"a": PILOT[:1]})),
        ('"a" is compared', lambda: surefoot.sequential_comparison({"a": PILOT, "b": PILOT}, algorithms=["a", "a"])),
        ('no scores of "c"', lambda: surefoot.plan_runs({"a": PILOT}, algorithms=["c"])),
    ],
)
def test_what_cannot_be_planned_is_refused(message, ask):
    with pytest.raises(ValueError, match=message):
        ask()


def test_more_runs_in_the_pilot_make_a_narrower_band():
    wide, narrow = (plan(PILOT[:runs], ["mean"], [10], [10.0], studies=30, n_resamples=80) for runs in (4, 25))
    for few, many in zip(wide, narrow, strict=True):
        assert (many["high"] - many["low"])[0] < 0.7 * (few["high"] - few["low"])[0]


def test_a_pilot_without_spread_says_nothing_of_the_width():
    widths, chances = plan(np.ones((3, 2)), ["mean", "iqm"], [5], [10.0], studies=5, n_resamples=20)
    assert (widths["width"] == 0).all() and widths["high"].isna().all()
    assert chances[["low", "high"]].to_numpy().tolist() == [[0.0, 1.0]] * 2


def test_the_default_holds_its_level_and_independence_does_not():
    """60 comparisons of 26 tasks with a correlation of 0.3 in both algorithms: by default 5 % are false alarms, and
    more than 17 % are less than once in 1,000 times; taken for independent, most are."""
    (cell,) = [cell for cell in sequential_level.cells if cell["correlations"] == [0.3, 0.3] and cell["tasks"] == 26]
    found = sequential_level.cover(cell, 60, 0, 2).set_index("method")
    assert found.loc["chosen by the runs (auto)", "failures"] <= 10
    assert found.loc["tasks independent", "failures"] > 30 and found.loc["tasks independent", "remarked"] == 1


def test_the_error_of_a_fraction():
    """Beside the exact standard deviation of a fraction of 400; and none is taken to be exact."""
    assert fraction_error(0.3, 400) == pytest.approx(np.sqrt(0.3 * 0.7 / 400), rel=0.01)
    assert fraction_error(np.array([0.0, 1.0]), 50).min() > 0
