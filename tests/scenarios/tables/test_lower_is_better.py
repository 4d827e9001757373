"""Scores of which lower ones are better: negated once, as they are read, and in no answer the wrong way round."""

from pathlib import Path

import pandas as pd
import pytest
from support.one_study import make, planned, told

import surefoot
from surefoot.errors import HintedError, InputError
from surefoot.runs.sources.score_tables import read
from surefoot.runs.sources.tables import ScoreTable


@pytest.fixture
def scores(own_folder):
    """Times of laps (lower is better) and returns, of a quick and a slow driver, five runs of each."""
    rows = [
        (driver, environment, run, base + run)
        for driver, time, reward in (("quick", 60.0, 20.0), ("slow", 90.0, 5.0))
        for environment, base in (("lap", time), ("drift", reward))
        for run in range(5)
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    table.to_csv("scores.csv", index=False)
    return table


def source(**more):
    return {"kind": "score_table", "file": "scores.csv"} | more


def collected(**more):
    settings = ScoreTable.model_validate(source(**more))
    return read(settings, settings.files())


def test_scores_are_negated_in_the_environments_that_are_named(scores):
    found = collected(lower_is_better=["lap"])
    assert found.groupby("environment")["score"].mean().to_dict() == {"drift": 14.5, "lap": -77.0}
    assert found.groupby("environment")["direction"].unique().map(list).to_dict() == {"drift": [1], "lap": [-1]}
    assert (collected(lower_is_better=True)["score"] < 0).all()
    assert "direction" not in collected() and (collected()["score"] > 0).all()


def test_an_unknown_environment_names_the_nearest(scores):
    with pytest.raises(
        InputError, match=r'lower_is_better: scores\.csv: no runs for the environment "lapp"\. Hint: did you mean "lap"'
    ):
        collected(lower_is_better=["lapp"])
    with pytest.raises(
        HintedError, match=r'lower_is_better: no runs for the environment "lapp"\. Hint: did you mean "lap"'
    ):
        surefoot.normalize_scores(scores, lower_is_better="lapp")
    with pytest.raises(InputError, match=r"sources\.runs\.lower_is_better"):
        planned({"sources": {"runs": source(lower_is_better="lap")}})


def normalize(study):
    return make(planned(study), lambda job: job.stage in ("collect", "normalize"))


@pytest.mark.parametrize(
    ("scale", "of_60", "of_94"),
    [
        ({"kind": "min_max"}, 1.0, 0.0),
        ({"kind": "reference_scores", "reference_scores": {"lap": [100, 50], "drift": [0, 10]}}, 0.8, 0.12),
        ({"kind": "reference_scores", "file": "own.csv"}, 0.8, 0.12),
        ({"kind": "none"}, -60.0, -94.0),
    ],
)
def test_scales_go_in_the_direction(scores, scale, of_60, of_94):
    """From a study's file to its normalized scores, and by the function: reference scores are those of the file."""
    Path("own.csv").write_text("environment,zero,one\nlap,100,50\ndrift,0,10\n")
    study = {
        "sources": {"runs": source(lower_is_better=["lap"])},
        "scales": {"runs": scale},
        "questions": {"rank_probabilities": {}},
    }
    made = normalize(study)
    found = pd.read_parquet(made["normalized"]).query("environment == 'lap'")
    by_run = found.set_index(["algorithm", "run"])["score"]
    assert by_run["quick", 0] == pytest.approx(of_60) and by_run["slow", 4] == pytest.approx(of_94)
    assert "direction" not in found
    kind, *settings = scale.items()
    ours = surefoot.normalize_scores(scores, kind[1], lower_is_better=["lap"], **dict(settings))
    ours = ours[ours["environment"] == "lap"].set_index(["algorithm", "run"])["score"]
    pd.testing.assert_series_equal(ours.sort_index(), by_run.sort_index(), check_names=False, check_index_type=False)


def test_references_in_the_wrong_direction_are_an_error(scores):
    values = {"lap": [50, 100], "drift": [0, 10]}
    study = {
        "sources": {"runs": source(lower_is_better=["lap"])},
        "scales": {"runs": {"kind": "reference_scores", "reference_scores": values}},
        "questions": {"rank_probabilities": {}},
    }
    with pytest.raises(InputError, match=r"scales\.runs: lap: got a scale from -50 to -100"):
        normalize(study)
    study["scales"] = {"runs": {"kind": "ratio", "baseline": "slow"}}
    with pytest.raises(
        InputError, match=r"lower scores are better in lap, which ratios .*Hint: use kind: min_max or reference"
    ):
        normalize(study)


def test_game_and_ranks_favour_the_quick_driver(scores):
    questions = {
        "evaluation_game_scores": {},
        "rank_probabilities": {},
        "aggregate_metrics": {"metrics": ["mean"], "methods": []},
    }
    questions["aggregate_metrics"]["methods"] = ["percentile"]
    questions["aggregate_metrics"]["n_resamples"] = 10
    study = {"sources": {"runs": source(lower_is_better=["lap"])}, "scales": {"runs": {"kind": "min_max"}}}
    jobs = planned(study | {"questions": questions})
    make(jobs, lambda job: job.stage in ("collect", "normalize", "aggregate", "estimate"))
    game = pd.read_csv("results/aggregate/mine/evaluation_game_scores.csv").query("aggregate == 'game_score'")
    assert game.set_index("algorithm")["rank"].to_dict() == {"quick": 1, "slow": 2}
    aggregates = pd.read_csv("results/estimate/mine/aggregate_metrics.csv").set_index("algorithm")["estimate"]
    assert aggregates["quick"] > aggregates["slow"]
    assert told(jobs, "directions") == [
        "Lower scores are better in lap. Means are in their own units; on a common scale, scores are turned around, "
        "so that higher is better."
    ]
    assert told(jobs, "lower_is_better") == ["lap"] and "lap" not in told(jobs, "environment_titles")
    assert "lowest to the highest score" in told(jobs, "scales")["runs"]
