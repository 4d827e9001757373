"""Curves at the steps of a grid."""

import numpy as np
import pandas as pd
import pytest
from support.learning_curves import curve, each

import surefoot
from surefoot.errors import HintedError


def test_aligned_curves_keep_hyperparameters():
    """Else runs of one name of different settings would become one."""
    both = pd.concat([curve([1.0, 2.0]).assign(rate=0.1), curve([3.0, 4.0]).assign(rate=0.2)], ignore_index=True)
    both.attrs["hyperparameters"] = ["rate"]
    found = surefoot.align_curves(both)
    assert found.groupby("rate")["score"].apply(list).to_dict() == {0.1: [1.0, 2.0], 0.2: [3.0, 4.0]}
    assert found.attrs == both.attrs


@pytest.mark.parametrize("between", ["carry_forward", "linear"])
def test_aligned_curves_are_the_curves_at_the_grid(random_curves, between):
    grid = [0, 1, 17, 500, 959]
    found = surefoot.align_curves(random_curves, grid, between=between)
    for rows, aligned in zip(each(random_curves), each(found), strict=True):
        pairs = list(zip(rows["step"], rows["score"], strict=True))
        for step, value in zip(aligned["step"], aligned["score"], strict=True):
            before = max((pair for pair in pairs if pair[0] <= step), key=lambda pair: pair[0])
            after = min((pair for pair in pairs if pair[0] >= step), key=lambda pair: pair[0])
            share = 0.0 if after[0] == before[0] else (step - before[0]) / (after[0] - before[0])
            wanted = before[1] if between == "carry_forward" else before[1] + share * (after[1] - before[1])
            assert value == pytest.approx(wanted)


def test_a_grid_covers_what_all_runs_have_in_common(unequal):
    with pytest.raises(HintedError, match="runs that end before the longest"):
        surefoot.align_curves(unequal)
    found = surefoot.align_curves(unequal, 5, short_runs="drop")
    assert found["step"].unique().tolist() == list(np.linspace(10, 100, 5)) and set(found["run"]) == {0, 1}
    carried = surefoot.align_curves(unequal, [50, 100], short_runs="carry_forward")
    assert carried.loc[carried["run"] == 2, "score"].tolist() == [8.0, 8.0]
    with pytest.raises(HintedError, match=r"not every run has a score at step 5\. Hint: use steps from 10 to 100"):
        surefoot.align_curves(unequal, [5, 50], short_runs="drop")
    with pytest.raises(HintedError, match="the steps of the grid do not ascend"):
        surefoot.align_curves(unequal, [50, 20], short_runs="drop")
