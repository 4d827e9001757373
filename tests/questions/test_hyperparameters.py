"""Tables of runs of several hyperparameter settings."""

import numpy as np
import pandas as pd
import pytest
from support.grids_of_settings import table_of

import surefoot


def grid_of(means, runs, noise, seed=0):
    """float64[environments, settings, runs] with these means."""
    drawn = np.random.default_rng(seed).normal(size=(*means.shape, runs))
    return means[..., None] + noise * drawn


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda runs: runs.drop(columns="step"), "there is no hyperparameter column"),
        (lambda runs: runs[runs["environment"] == "e0"], "one environment"),
        (lambda runs: runs.assign(step=[[64, 64]] * len(runs)), "step has lists or dicts as values"),
        (lambda runs: pd.concat([runs, runs[:1]]), "two scores for a0 / e0 / 0 / 0"),
        (lambda runs: runs.assign(step=runs["step"].where(runs["step"] > 0)), "step is missing for a0 / e0 / 0"),
        (
            lambda runs: runs[(runs["algorithm"] != "a0") | (runs["environment"] != "e1")],
            r"cells without a run \(1\): a0 / e1",
        ),
    ],
)
def test_runs_that_cannot_be_asked(change, message):
    runs = table_of(np.arange(72.0).reshape(2, 2, 6, 3))
    with pytest.raises(ValueError, match=message) as refused:
        surefoot.hyperparameter_sensitivity(change(runs))
    assert "Hint: " in str(refused.value)


def test_runs_match_by_place_and_settings_by_value():
    """Whatever the order of the rows, and however runs are called."""
    runs = table_of(grid_of(np.ones((4, 3)), 4, 1.0).reshape(2, 2, 3, 4))
    found = surefoot.hyperparameter_sensitivity(runs).table()
    renamed = runs.sample(frac=1.0, random_state=1).sort_values(["algorithm", "environment"], kind="stable")
    renamed = renamed.assign(run="seed" + renamed["run"].astype(str))
    pd.testing.assert_frame_equal(surefoot.hyperparameter_sensitivity(renamed).table(), found)
