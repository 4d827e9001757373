"""What results answer and how they are printed, and which remarks they carry."""

import numpy as np
import pandas as pd
import pytest
from support.two_algorithms import ARRAYS, TABLE

import surefoot


def test_answers_of_several_sets_are_told_apart():
    sets = {"plain": ARRAYS, "doubled": {name: 2 * scores for name, scores in ARRAYS.items()}}
    found = surefoot.aggregate_metrics(sets, metrics="mean", n_resamples=50)
    assert found.table()["scores"].tolist() == ["plain"] * 2 + ["doubled"] * 2
    assert found.table()["estimate"][2:].tolist() == pytest.approx(
        [2 * value for value in found.table()["estimate"][:2]]
    )
    profiles = surefoot.performance_profiles(
        {"a": TABLE, "b": TABLE.query("run < 4")}, thresholds=[1.0, 3.0], n_resamples=9
    )
    heights = profiles.table().set_index(["scores", "threshold", "algorithm"])["estimate"].unstack()
    for name, own in profiles.tables()["dominance"].groupby("scores"):
        assert own[["algorithm", "baseline"]].to_numpy().tolist() == [["ours", "base"]]
        assert (heights.loc[name, "ours"] >= heights.loc[name, "base"]).all()
    with pytest.raises(
        ValueError, match=r"surefoot\.subsample_metrics: got 2 sets .*\. Hint: pass one of plain, doubled"
    ):
        surefoot.subsample_metrics(sets, metrics="iqm", sizes=[3], datasets=9)
    with pytest.raises(ValueError, match=r"doubled: scores: .*ours / 0 / run 0: nan"):
        surefoot.aggregate_metrics(sets | {"doubled": {"ours": [np.nan, 1.0]}})


def test_an_interval_that_does_not_exist_says_why():
    found = surefoot.aggregate_metrics({"a": np.ones((3, 2))}, metrics="iqm", methods="bc", n_resamples=20)
    assert np.isnan(found.table()["low"][0]) and "bc is not available" in found.notes()["note"][0]


@pytest.mark.parametrize(
    "result",
    [
        lambda: surefoot.performance_profiles(ARRAYS, thresholds=[0.5], n_resamples=10),
        lambda: surefoot.plan_runs(ARRAYS, sizes=[3], datasets=2, n_resamples=10),
        lambda: surefoot.sequential_comparison(ARRAYS, algorithms=["ours", "base"]),
        lambda: surefoot.rank_probabilities(ARRAYS),
    ],
)
def test_results_are_printed_no_wider_than_a_terminal(result):
    found = result()
    shown = repr(found)
    assert all(str(column) in shown for column in found.table().columns if column != "remark")
    assert all(part in " ".join(shown.split()) for part in found.table().get("remark", ()))
    assert all(part in " ".join(shown.split()) for part in found.notes()["note"])
    assert max(map(len, shown.splitlines())) <= 102 and len(shown) < 20_000


WITH_INTERVALS = {
    "aggregate_metrics": {},
    "curve_differences": {},
    "evaluation_game_intervals": {},
    "probability_of_improvement": {},
    "multiple_comparisons": {},
    "pairwise_differences": {},
    "performance_profiles": {"thresholds": [0.2, 0.5, 1.0]},
    "plan_runs": {"datasets": 20},
    "sample_efficiency": {},
    "sequential_comparison": {"algorithms": ["a", "b"]},
    "subsample_metrics": {"metrics": "iqm", "sizes": 3, "datasets": 20},
    "task_means": {},
}


@pytest.mark.parametrize("name", WITH_INTERVALS)
def test_no_interval_without_a_width_is_printed_without_a_remark(name):
    """Where no run differs from another of its task."""
    rows = [
        (algorithm, task, run, step, step * factor * scale)
        for algorithm, factor in (("a", 0.1), ("b", 0.2))
        for task, scale in (("x", 1.0), ("y", 1.5))
        for run in range(4)
        for step in (1, 2, 3)
    ]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    if name not in ("curve_differences", "sample_efficiency"):
        runs = runs[runs["step"] == 3].drop(columns="step")
    found = getattr(surefoot, name)(runs, **WITH_INTERVALS[name])
    table = found.table()
    if (table["low"] == table["high"]).any():
        assert "no width" in repr(found)
        quoted = (
            found.finding()
            if name not in ("evaluation_game_intervals", "performance_profiles", "subsample_metrics")
            else "no width"
        )
        assert "no width" in quoted
