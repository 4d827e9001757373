"""Run tables out of published tables, each by hand from a few rows."""

import pandas as pd
import pytest

from surefoot.runs.published.published_run_tables import CURVE_FRAMES, DM_CONTROL, PROCGEN, run_table

NAMES = ["algorithm", "environment", "run", "score"]


def test_algorithms_stand_in_their_order_and_others_are_left_out():
    rows = [(name, "coinrun", run, 1.0) for name in ("DAAC", "Mine", *sorted(PROCGEN)) for run in range(2)]
    scores = pd.DataFrame(rows, columns=["algorithm", "env", "run", "score"])
    found = run_table("procgen", {"procgen/final_scores": scores})
    assert found["algorithm"].tolist() == [name for name in PROCGEN for _ in range(2)]
    assert found["environment"].unique().tolist() == ["coinrun"] and found.index.tolist() == list(range(len(found)))
    with_daac = run_table("procgen_all", {"procgen/final_scores": scores})
    assert with_daac["algorithm"].unique().tolist() == [*PROCGEN, "DAAC"]


def test_curl_brings_the_reference_scores_of_normalized_scores():
    final = pd.DataFrame([("SPR", "Pong", 0, 3.0)], columns=["algorithm", "game", "run", "score"])
    curl = pd.DataFrame({"game": ["Pong"], "run": [0], "hns_final": [0.25], "hns_max_of_10": [0.5]})
    found = run_table("atari100k", {"atari100k/final_scores": final, "atari100k/curl_final_and_max": curl})
    assert found[[*NAMES, "zero", "one"]].to_numpy(object)[0].tolist() == ["CURL", "Pong", 0, 0.25, 0.0, 1.0]
    assert found["zero"].isna().tolist() == [False, True]


def test_the_greatest_of_ten_evaluations_stands_beside_the_last():
    evaluations = pd.DataFrame(
        [("Pong", run, number, 10.0 * run + score) for run in range(2) for number, score in enumerate((1, 5, 2))],
        columns=["game", "run", "evaluation", "score"],
    )
    curl = pd.DataFrame({"game": ["Pong"], "run": [0], "hns_final": [0.25], "hns_max_of_10": [0.5]})
    tables = {"atari100k/der_ten_evaluations": evaluations, "atari100k/curl_final_and_max": curl}
    found = run_table("atari100k_protocols", tables).groupby("algorithm", sort=False)["score"].agg(list)
    assert found.to_dict() == {
        "DER": [2.0, 12.0],
        "DER, maximum of 10": [5.0, 15.0],
        "CURL": [0.25],
        "CURL, maximum of 10": [0.5],
    }


def test_curves_that_end_early_keep_their_last_score():
    """Dopamine counts iterations of a million frames from 0, and its curves end at the 199th here."""
    iterations = range(199)
    dopamine = pd.DataFrame({"algorithm": "C51", "game": "Pong", "run": 0, "iteration": iterations})
    dopamine["score"] = 1.0 * dopamine["iteration"]
    frames = range(1, 121)
    dreamer = pd.DataFrame(
        {"game": "Pong", "run": 0, "frames_millions": frames, "score": [float(one) for one in frames]}
    )
    games = pd.DataFrame({"game": ["Pong"], "in_atari_55": [True]}).rename(columns={"game": "environment"})
    tables = {"ale200m/dopamine_curves": dopamine, "ale200m/dreamerv2_curves": dreamer, "atari_games": games}
    found = run_table("ale200m_curves", tables).set_index(["algorithm", "frames"])["score"]
    assert found["C51"].to_dict() == {one: float(min(one - 1, 198)) for one in CURVE_FRAMES}
    assert found["DreamerV2"].to_dict() == {one: float(min(one, 120)) for one in CURVE_FRAMES}


@pytest.mark.parametrize("steps", ["100k", "500k"])
def test_scores_of_dm_control_are_rounded_means_divided(steps):
    scores = pd.DataFrame(
        [("DrQ", step, "walker", 0, score) for step, score in (("100k", 612.26), ("500k", 900.04))],
        columns=["algorithm", "steps", "env", "run", "score"],
    )
    (row,) = run_table(f"dm_control_{steps}", {"dm_control/final_scores": scores}).to_dict("records")
    assert row["score"] == {"100k": 612.3, "500k": 900.0}[steps] and row["algorithm"] in DM_CONTROL
    means = pd.DataFrame({"algorithm": ["SAC"], "steps": [steps], "env": ["walker"], "mean": [500.0], "std": [20.0]})
    found = run_table(f"dm_control_published_{steps}", {"dm_control_means": means.assign(n_runs_assumed=10)})
    assert found.to_dict("records") == [
        {"algorithm": "SAC", "environment": "walker", "run": 0, "score": 0.5, "deviation": 0.02, "runs": 10}
    ]
