"""The band of a plan: against the spread of plans from many pilots, and how often it holds the truth."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.statistics.coverage.trust.bands import planning_band
from surefoot.statistics.coverage.trust.intervals import run_effects
from surefoot.statistics.coverage.trust.sequential import sequential_level
from surefoot.statistics.run_plans import plan, resampled_pilots, runs_needed, spread_out

COLUMNS = ["subject", "cell", "data", "runs", "tasks", "algorithms", "method", "target", "nominal", "datasets"]
COLUMNS += ["failures", "width", "recommended", "remark"]


def pilot(runs, seed):
    return np.random.default_rng(seed).normal(10.0, 2.0, (runs, 4))


def test_resampled_pilots_are_spread_out_like_the_pilot():
    columns = [spread_out(column) for column in pilot(6, 0).T]
    drawn = resampled_pilots(columns, 4000, 1)
    assert [column.size for column in drawn[0]] == [6] * 4
    variances = np.array([[column.var() for column in one] for one in drawn])
    assert variances.mean(axis=0) == pytest.approx([column.var() for column in columns], rel=0.05)
    again = resampled_pilots(columns, 10, 1)
    assert all(
        np.array_equal(a, b) for one, other in zip(drawn, again, strict=False) for a, b in zip(one, other, strict=True)
    )


def test_more_runs_in_the_pilot_make_a_narrower_band():
    wide, narrow = (plan(pilot(runs, 2), ["mean"], [10], [10.0], studies=30, replicates=80) for runs in (4, 60))
    for few, many in zip(wide, narrow, strict=True):
        assert (many["high"] - many["low"])[0] < 0.7 * (few["high"] - few["low"])[0]


def test_a_pilot_without_spread_says_nothing_of_the_width():
    widths, chances = plan(np.ones((3, 2)), ["mean", "iqm"], [5], [10.0], studies=5, replicates=20)
    assert (widths["width"] == 0).all() and widths["high"].isna().all()
    assert chances[["low", "high"]].to_numpy().tolist() == [[0.0, 1.0]] * 2


def test_a_cautious_answer_needs_more_runs():
    chances = pd.DataFrame(
        {
            "runs": [5, 10, 20],
            "metric": "iqm",
            "lift_percent": 10.0,
            "chance": [0.7, 0.85, 0.99],
            "low": [0.2, 0.5, 0.9],
        }
    )
    assert runs_needed(chances, "iqm", 10.0) == 10
    assert runs_needed(chances, "iqm", 10.0, cautious=True) == 20
    assert runs_needed(chances, "iqm", 10.0, 0.95, cautious=True) is None


def test_the_library_shows_the_band():
    found = surefoot.run_plans({"a": pilot(5, 4)}, sizes=[4, 30], lifts=[20.0], datasets=20, replicates=60)
    for table, value in ((found.widths["a"], "width"), (found.chances["a"], "chance")):
        assert (table["low"] <= table[value]).all() and (table[value] <= table["high"]).all()
        assert (table["low"] < table["high"]).all()
    assert "band" in found.assumptions
    needed = [found.runs_needed(20.0, 0.5, cautious=cautious) or 99 for cautious in (False, True)]
    assert needed[0] <= needed[1]


@pytest.mark.parametrize("module", [planning_band, run_effects, sequential_level])
def test_studies_of_trust_have_their_columns(module):
    cells = module.cells()
    assert len({cell["name"] for cell in cells}) == len(cells)
    found = module.cover(cells[1], 4, 20, 1)
    assert found.columns[: len(COLUMNS)].tolist() == COLUMNS and (found["failures"] <= 4).all()
    pd.testing.assert_frame_equal(found, module.cover(cells[1], 4, 20, 1))


def test_the_default_holds_its_level_and_independence_does_not():
    """60 comparisons of 26 tasks with a correlation of 0.3 in both algorithms: by default 5 % are false alarms, and
    more than 17 % are less than once in 1,000 times; taken for independent, most are."""
    (cell,) = [cell for cell in sequential_level.cells() if cell["correlations"] == [0.3, 0.3] and cell["tasks"] == 26]
    found = sequential_level.cover(cell, 60, 0, 2).set_index("method")
    assert found.loc["chosen by the runs (auto)", "failures"] <= 10
    assert found.loc["tasks independent", "failures"] > 30 and found.loc["tasks independent", "remarked"] == 1
