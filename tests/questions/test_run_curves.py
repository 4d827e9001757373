"""Learning curves of single runs: thinned for a page, with the mean of all runs."""

import numpy as np
import pandas as pd
import pytest

import surefoot

RUN = ["algorithm", "environment", "run"]
RUN_NAME = ["algorithm", "environment", "run_name"]


def curves(runs=3, points=200, apart=0, environments=2):
    """Random walks; with `apart`, each run has steps of its own."""
    rng = np.random.default_rng(2)
    rows = [
        (name, f"task {place}", run, 10 * step + apart * run, score)
        for name in "ab"
        for place in range(environments)
        for run in range(runs)
        for step, score in enumerate(rng.normal(size=points).cumsum())
    ]
    return pd.DataFrame(rows, columns=[*RUN, "step", "score"])


@pytest.mark.parametrize(("runs", "points"), [(3, 500), (40, 500), (200, 300)])
def test_a_page_stays_light_and_keeps_the_ends(runs, points):
    table = curves(runs, points)
    found = surefoot.run_curves(table, points=2000).table()
    assert len(found) <= 2000
    single = found[found["curve"] == "run"]
    sizes = single.groupby(RUN_NAME).size()
    assert sizes.min() >= 10 and sizes.nunique() == 1
    assert len(sizes) == (4 * runs if runs < 200 else 4 * 49)
    assert (single.groupby(RUN_NAME)["step"].max() == 10 * (points - 1)).all() and (single["step"].min() == 0)
    kept = (
        single.rename(columns={"run_name": "run"})
        .astype({"run": int})
        .merge(table, on=[*RUN, "step"], suffixes=("", "_given"))
    )
    assert len(kept) == len(single) and (kept["score"] == kept["score_given"]).all()
    last = found[(found["curve"] == "mean") & (found["step"] == 10 * (points - 1))]
    wanted = table[table["step"] == 10 * (points - 1)].groupby(["algorithm", "environment"])["score"].mean()
    assert last["score"].to_numpy() == pytest.approx(wanted.to_numpy())


def test_the_mean_of_runs_with_steps_of_their_own_is_of_their_last_scores():
    """As `numpy.searchsorted` finds them, from where the last run begins to where the first ends."""
    table = curves(points=200, apart=3, environments=1)
    found = surefoot.run_curves(table).table().query("curve == 'mean' and algorithm == 'a'")
    runs = [rows for _, rows in table.query("algorithm == 'a'").groupby("run")]
    assert found["step"].min() == 6 and found["step"].max() == 1990 and len(found) == 100
    assert set(found["step"]) <= {step for rows in runs for step in rows["step"]}, "no run was evaluated there"
    for step, score in zip(found["step"], found["score"], strict=True):
        known = [rows["score"].to_numpy()[rows["step"].searchsorted(step, side="right") - 1] for rows in runs]
        assert score == pytest.approx(np.mean(known))


def test_runs_without_common_steps_have_no_mean():
    late = curves(points=5, environments=1)
    late.loc[late["run"] == 2, "step"] += 1000
    found = surefoot.run_curves(late).table()
    assert set(found["curve"]) == {"run"} and len(found) == len(late)
