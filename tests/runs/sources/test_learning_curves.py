"""Learning curves as a source: scores by a rule and curves on a grid, against brute force; mistakes in sentences."""

import numpy as np
import pandas as pd
import pytest
from support.one_study import make, planned, refused, write_runs

import surefoot
from surefoot.errors import InputError
from surefoot.runs.curves.rules import RULES
from surefoot.runs.sources.learning_curves import read
from surefoot.runs.sources.tables import LearningCurves
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.drawing_inputs import protocol_of_study

AMOUNTS = {"last_k": 3, "last_episodes": 7, "steps_to": 0.6}
STEPS = np.arange(1, 21) * 500
RUN = ["algorithm", "environment", "run"]


def curves(*left_out, steps=STEPS, environments=("maze", "pole")):
    """Two algorithms, four runs each: noisy curves that rise to about 1; (row, column, value) are changes."""
    rng = np.random.default_rng(4)
    rows = [
        (name, place, run, step, float(1 - np.exp(-step / (3000 + 2000 * number)) + rng.normal(0, 0.1)), 4, "eval")
        for number, name in enumerate(("fast", "slow"))
        for place in environments
        for run in range(4)
        for step in steps
    ]
    table = pd.DataFrame(rows, columns=[*RUN, "step", "score", "episodes", "kind"])
    for row, column, value in left_out:
        table[column] = table[column].astype(object)
        table.loc[row, column] = value
    return table


CURVES = curves()


def written(tmp_path, table, suffix="csv"):
    return write_runs(tmp_path / f"curves.{suffix}", table)


def read_curves(path, **settings):
    return read(LearningCurves(file=str(path), **settings), {"file": path})


def plain(table):
    return table.sort_values([*RUN, *(["step"] if "step" in table else [])], ignore_index=True)


@pytest.mark.parametrize("rule", RULES)
def test_a_studys_protocol_has_the_rule_of_its_scores(rule):
    rule_argument = AMOUNTS.get(rule)
    table = CURVES.assign(kind="absolute" if rule == "absolute" else "eval")
    written_in_scores = set(surefoot.score_curves(table, rule, rule_argument=rule_argument)["rule"])
    source = {"kind": "learning_curves", "file": "curves.csv", "rule": rule}
    source |= {} if rule_argument is None else {"rule_argument": rule_argument}
    content = {"title": "Mine", "sources": {"runs": source}, "protocol": {"kind": "eval"}}
    config = validate_configuration({"studies": {"mine": content}}, [])
    assert {protocol_of_study(config.studies["mine"])["rule"]} == written_in_scores


@pytest.mark.parametrize(("suffix", "rule"), [("csv", "window"), ("json", "auc"), ("parquet", "window")])
def test_the_scores_and_the_curves_are_those_of_the_library(tmp_path, suffix, rule):
    found = read_curves(written(tmp_path, CURVES.sample(frac=1, random_state=2), suffix), rule=rule)
    wanted = surefoot.score_curves(CURVES, rule)
    assert list(found["runs"].columns) == [*RUN, "score"]
    pd.testing.assert_frame_equal(plain(found["runs"]), plain(wanted[[*RUN, "score"]]))
    aligned = surefoot.align_curves(CURVES, STEPS)[[*RUN, "step", "score"]]
    pd.testing.assert_frame_equal(plain(found["curves"]), plain(aligned), check_dtype=False)
    pd.testing.assert_frame_equal(
        plain(found["evaluations"]), plain(CURVES.drop(columns="kind")), check_dtype=False, check_like=True
    )


def test_of_steps_to_a_score_the_rest_of_the_training_is_left(tmp_path):
    """By brute force; the mean over runs is one minus the restricted mean of the steps, the area under the curve of the
    share of runs that have not reached it."""
    table = CURVES.assign(score=CURVES["score"] - 0.8 * ((CURVES["run"] == 1) & (CURVES["algorithm"] == "slow")))
    found = read_curves(written(tmp_path, table), rule="steps_to", rule_argument=0.6)["runs"].set_index(RUN)["score"]
    wanted = {}
    for names, rows in table.groupby(RUN):
        reached = rows.loc[rows["score"] >= 0.6, "step"]
        wanted[names] = (1 - reached.min() / 10_000) if len(reached) else 0.0
    assert found.to_dict() == pytest.approx(wanted)
    assert found["slow", "maze", 1] == 0.0 and (found > 0).any()
    grid = np.arange(0, 10_000, 500)
    rows = table[(table["algorithm"] == "slow") & (table["environment"] == "maze")]
    alive = [
        np.mean([not ((of_run["step"] <= step) & (of_run["score"] >= 0.6)).any() for _, of_run in rows.groupby("run")])
        for step in grid
    ]
    assert 1 - np.mean(alive) == pytest.approx(found["slow", "maze"].mean())


def test_grids_are_as_they_are_asked_for(tmp_path):
    path = written(tmp_path, CURVES)
    assert read_curves(path)["curves"]["step"].unique().tolist() == STEPS.tolist()
    assert read_curves(path, grid=4)["curves"]["step"].unique() == pytest.approx(np.linspace(500, 10_000, 4))
    assert read_curves(path, grid=(600.0, 1000.0))["curves"]["step"].unique().tolist() == [600, 1000]
    moved = CURVES.assign(step=CURVES["step"] + 7 * CURVES["run"])
    found = read_curves(written(tmp_path, moved))["curves"]
    assert set(found["step"]) <= set(moved["step"]), "no run was evaluated there"
    assert found["step"].nunique() == len(STEPS) and found["step"].min() == 521 and found["step"].max() == 10_021


def test_trainings_of_unequal_length_are_compared_by_percent(tmp_path):
    table = CURVES.assign(step=CURVES["step"].where(CURVES["environment"] == "maze", CURVES["step"] * 10))
    path = written(tmp_path, table)
    with pytest.raises(InputError, match="environments end at different steps: maze at 10,000, pole at 100,000"):
        read_curves(path)
    found = read_curves(path, along="percent")["curves"]
    assert found["step"].unique() == pytest.approx(np.arange(5, 101, 5))
    same = read_curves(written(tmp_path, CURVES))["curves"]
    assert found["score"].tolist() == same["score"].tolist()


@pytest.mark.parametrize("policy", ["drop", "carry_forward", "truncate_to_shortest"])
def test_short_runs_are_listed_or_treated_as_the_policy_says(tmp_path, policy):
    table = CURVES[(CURVES["algorithm"] != "slow") | (CURVES["run"] != 2) | (CURVES["step"] <= 6000)]
    path = written(tmp_path, table)
    with pytest.raises(InputError) as caught:
        read_curves(path)
    assert "runs that end before the longest (2): slow in maze, run 2: 6,000 of 10,000; slow in pole" in str(
        caught.value
    )
    assert "Hint: short_runs: worst_score (they get" in str(caught.value) and '"' not in caught.value.hint
    found = read_curves(path, short_runs=policy, rule="last")
    wanted = surefoot.score_curves(table, "last", short_runs=policy)
    assert plain(found["runs"])["score"].tolist() == plain(wanted)["score"].tolist()
    assert len(found["evaluations"]) == len(table)
    last = 6000 if policy == "truncate_to_shortest" else 10_000
    assert found["curves"]["step"].max() == last
    assert len(found["runs"]) == (14 if policy == "drop" else 16)


def test_cells_that_lose_all_runs_are_missing(tmp_path):
    table = CURVES[(CURVES["algorithm"] != "slow") | (CURVES["environment"] != "pole") | (CURVES["step"] <= 6000)]
    path = written(tmp_path, table)
    with pytest.raises(
        InputError, match=r"cells without a run \(1\): slow / pole\. Hint: add runs, or set missing_cells"
    ):
        read_curves(path, short_runs="drop")
    found = read_curves(path, short_runs="drop", missing_cells="drop_environment")
    assert set(found["runs"]["environment"]) == set(found["curves"]["environment"]) == {"maze"}


def test_scores_of_one_kind_and_metric_are_taken(tmp_path):
    both = pd.concat([CURVES, CURVES.assign(score=CURVES["score"] + 5, kind="train")])
    path = written(tmp_path, both)
    with pytest.raises(
        InputError,
        match=r"scores of several kinds: eval \(320 rows\), train \(320 rows\)\. Hint: choose one with score_k",
    ):
        read_curves(path)
    assert read_curves(path, score_kind="train")["runs"]["score"].mean() > 5
    assert read_curves(path, score_kind="eval")["runs"]["score"].mean() < 2
    refused = r'no scores for the kind "absolute". Hint: choose score_kind from eval, train'
    with pytest.raises(InputError, match=refused):
        read_curves(path, score_kind="absolute")
    metrics = written(tmp_path, pd.concat([CURVES.assign(metric="a"), CURVES.assign(metric="b")]))
    with pytest.raises(InputError, match=r"scores of several metrics: a \(320 rows\), b"):
        read_curves(metrics)
    assert len(read_curves(metrics, metric="b")["runs"]) == 16


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (CURVES[:0], "the table has no rows. Hint: use one row for each run and step"),
        (CURVES.drop(columns="step"), 'no column "step" for step. Hint: '),
        (curves((3, "step", "late")), "step: 1 row with no step, the first of fast in maze, run 0: step 'late'"),
        (curves((3, "step", -1)), "fast in maze, run 0: step "),
        (curves((3, "step", 500)), "fast in maze, run 0 has step 500 twice. Hint: average the episodes"),
        (curves((3, "score", np.nan)), "scores that are not finite numbers (1): fast / maze / run 0, step 2000: ''"),
        (curves((3, "episodes", 0)), "the episodes of a score are '0'. Hint: use whole numbers"),
        (CURVES[80:], "cells without a run (1): fast / maze. Hint: add runs, or set missing_cells"),
        (curves((3, "algorithm", None)), "data row 4 has no algorithm. Hint"),
    ],
)
def test_flaws_are_one_sentence(tmp_path, table, message):
    with pytest.raises(InputError) as caught:
        read_curves(written(tmp_path, table))
    assert message in str(caught.value) and str(caught.value).startswith(f"{tmp_path / 'curves.csv'}: ")
    assert "\n" not in str(caught.value)


def asked(rule="window", **questions):
    scales = {"scores": {"kind": "min_max"}, "curves": {"kind": "min_max", "source": "runs_curves"}}
    sources = {"runs": {"kind": "learning_curves", "file": "curves.csv", "rule": rule}}
    return {"sources": sources, "scales": scales, "questions": questions}


def answers(study):
    made = make(
        planned({"n_resamples": 20} | study),
        lambda job: job.stage in ("collect", "normalize", "aggregate", "estimate"),
    )
    return {name: pd.read_csv(path) for name, path in made.items() if path.suffix == ".csv"}


def test_a_study_of_curves_asks_questions_of_runs_and_of_curves(tmp_path, monkeypatch):
    """Questions find their scale; a study says what the functions say; another rule gives other scores."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, CURVES)
    metrics = {"metrics": ["mean"]}
    study = asked(aggregate_metrics=metrics, sample_efficiency=metrics | {"band": "simultaneous"}, run_curves={})
    found = answers(study)
    scaled = surefoot.align_curves(CURVES, STEPS)
    ends = scaled.groupby("environment")["score"]
    scaled["score"] = (scaled["score"] - ends.transform("min")) / (ends.transform("max") - ends.transform("min"))
    wanted, narrow = (
        surefoot.sample_efficiency(scaled, **metrics, n_resamples=20, band=band).table()
        for band in ("simultaneous", "pointwise")
    )
    pd.testing.assert_frame_equal(found["sample_efficiency"], wanted, check_dtype=False, rtol=1e-9)
    assert (
        found["sample_efficiency"]["high"] - found["sample_efficiency"]["low"] > narrow["high"] - narrow["low"]
    ).all()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    written(tmp_path / "other", CURVES)
    other = answers(asked("auc", aggregate_metrics=metrics))["aggregate_metrics"]
    assert (other["estimate"] != found["aggregate_metrics"]["estimate"]).all()


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (
            asked(performance_profiles={"scores": ["curves"], "thresholds": {"from": 0, "to": 1, "count": 3}}),
            "needs one score per run. Hint: ",
        ),
        (
            asked(sample_efficiency={"scores": ["scores"]}),
            'which the scale "scores" lacks. Hint: set scales: {scores: {source: runs_c',
        ),
        (asked(run_curves={"source": "runs_curves"}), 'a source of evaluations, but "runs_curves" is not one'),
        (
            asked(evaluation_game_scores={"source": "runs_curves"}),
            'needs a source of runs, but "runs_curves" is not one',
        ),
        (
            asked(evaluation_game_scores={})
            | {"scales": {"p": {"kind": "performance_percentile", "source": "runs_curves"}}},
            "has learning curves, but pairs are compared by the scores of their runs",
        ),
    ],
)
def test_questions_are_refused_of_the_wrong_table(study, message):
    assert message in refused(study)
