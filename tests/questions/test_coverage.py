"""Coverage of intervals of game scores: how data sets are cut, and runs that cannot be cut."""

import numpy as np
import pandas as pd
import pytest

from surefoot.errors import HintedError
from surefoot.questions.coverage import coverage, numbers_of_datasets, runs_of_all_datasets

DRAW = np.random.default_rng(0)
CELLS = [(name, place, skill) for skill, name in enumerate("ab") for place in "xy"]
ROWS = [(name, place, run, DRAW.normal(skill)) for name, place, skill in CELLS for run in range(24)]
RUNS = pd.DataFrame(ROWS, columns=["algorithm", "environment", "run", "score"])
CUT = {"design": "cut", "methods": ["pbp_t"], "skip_checks": True}


def test_one_number_of_data_sets_is_for_all_sizes():
    assert numbers_of_datasets([2, 3, 5], 4) == [4, 4, 4] and numbers_of_datasets([2, 3], (4, 1)) == [4, 1]
    assert runs_of_all_datasets([2, 3], 4) == 20 and runs_of_all_datasets([2, 3], [4, 1]) == 11


def test_data_sets_are_cut_one_after_the_other():
    """Two of four runs and two of eight runs take all 24; only the truth is that of all runs."""
    both = coverage(RUNS, sizes=[4, 8], datasets=2, **CUT).table()
    rest = RUNS[RUNS["run"] >= 8].assign(run=lambda runs: runs["run"] - 8)
    parts = [coverage(RUNS, sizes=[4], datasets=2, **CUT).table(), coverage(rest, sizes=[8], datasets=2, **CUT).table()]
    of_data_sets = ["size", "datasets", "failure_rate", "significance", "mean_width", "mean_width_error"]
    pd.testing.assert_frame_equal(both[of_data_sets], pd.concat(parts, ignore_index=True)[of_data_sets])


@pytest.mark.parametrize(
    ("runs", "datasets", "message"),
    [
        (RUNS, 3, r"runs 0 to 35 are needed to cut all data sets, but a / x has only 24 of them\. Hint: use fewer"),
        (RUNS.assign(run=RUNS["run"] + 1), 2, r"runs 0 to 23 are needed .* a / x has only 23"),
        (RUNS.assign(run="seed " + RUNS["run"].astype(str)), 2, r"names such as seed 0\. Hint: number the runs from 0"),
    ],
)
def test_runs_that_cannot_be_cut_are_refused(runs, datasets, message):
    with pytest.raises(HintedError, match=message):
        coverage(runs, sizes=[4, 8], datasets=datasets, **CUT)
