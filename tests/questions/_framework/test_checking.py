"""Questions that a study or its runs cannot answer end in one sentence with a hint."""

import numpy as np
import pandas as pd
import pytest
from support.one_study import make, planned

from surefoot.errors import InputError
from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.question_settings import QuestionSettings
from surefoot.runs.scales.scaling import scaled
from surefoot.runs.sources.checks import check_table
from surefoot.runs.sources.tables import ScoreTable
from surefoot.workflow.answers import check_answerable
from surefoot.workflow.configuration.validation import validate_configuration

GRID = {"from": 0.1, "to": 2, "count": 3}
COUNTS = {"sizes": [2], "datasets": 4}
COMPLETE = {
    "gap_curve": {"thresholds": GRID},
    "histograms": {"algorithms": ["a"], "bins": 3},
    "performance_profiles": {"thresholds": GRID},
    "subsample_densities": {"metric": "iqm", "algorithms": ["a", "b"], "sizes": [2, 3], "datasets": 4},
    "trimmed_errors": {"fractions": [0, 0.5], "size": 2, "datasets": 4},
    "protocols": {"metrics": ["iqm"], "settings": 2, "runs_of_setting": 2} | COUNTS,
    "interval_coverage": {
        "metrics": ["iqm"],
        "methods": ["percentile"],
        "replacement": [False, True],
        "algorithms": ["a"],
    }
    | COUNTS,
    "task_coverages": {"algorithms": ["a"]} | COUNTS,
}
"""The keys of questions that need some."""


def runs(number=5):
    rng = np.random.default_rng(0)
    rows = [(a, task, run, rng.uniform(1, 2)) for a in "ab" for task in ("t1", "t2", "t3") for run in range(number)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def study(kind, scale=None, **keys):
    sources = {"runs": {"kind": "score_table", "file": "t.csv"}}
    config = {"title": "T", "sources": sources, "scales": {"s": scale or {}}}
    config["questions"] = {"x": {"kind": kind, "scores": ["s"]} | keys}
    return validate_configuration({"studies": {"mine": config}}, []).studies["mine"]


def check_question(table, study):
    """Check the question of a study as its jobs do."""
    scores = scaled({"runs": table}, {"s": study.scales["s"]})
    check_answerable(study.questions["x"], {"scores": scores}, "questions.x")


def check_rows(table):
    check_table(table, ScoreTable(file="t.csv"), "t.csv")


def test_a_missing_key_is_named_with_what_it_may_be():
    kinds = {kind: question for kind, question in questions().items() if issubclass(question, QuestionSettings)}
    for kind, question in kinds.items():
        fields = {name: field for name, field in question.model_fields.items() if name != "scores"}
        required = [name for name, field in fields.items() if field.is_required()]
        assert all(fields[name].examples for name in required)
        if required:
            with pytest.raises(
                InputError, match=rf'questions\.x: key "{required[0]}" is missing\. Hint: {required[0]}: '
            ):
                study(kind)
    for kind, keys in COMPLETE.items():
        check_question(runs(), study(kind, **keys))


@pytest.mark.parametrize(
    ("kind", "keys", "message"),
    [
        (
            "performance_profiles",
            {"thresholds": GRID | {"from": 3}},
            "x.thresholds: the grid from 3 to 2 is empty. Hint: from must be less than to",
        ),
        (
            "gap_curve",
            {"thresholds": [0.1, 2]},
            "x.thresholds: a grid is expected, not a list. Hint: use a grid such as {from",
        ),
        (
            "gap_curve",
            {"thresholds": GRID | {"from": 0}},
            "x.thresholds: a gap is a fraction of its target, which",
        ),
        (
            "probability_of_improvement",
            {"pairs": [["a", "b"], ["b", "b"]]},
            'x.pairs.1: "b" is compared with itself. Hint: name two',
        ),
        (
            "subsample_densities",
            {"sizes": [3]},
            "x.sizes: 1 sizes for 2 algorithms. Hint: give one number of runs for",
        ),
        (
            "histograms",
            {"algorithms": ["a", "b"]},
            "histograms takes one algorithm, but got 2: a, b",
        ),
        (
            "sample_efficiency",
            {},
            'needs scores at several numbers of frames, which the scale "s" lacks. Hint: use scales whose runs',
        ),
        ("published_intervals", {}, "dm_control_published_500k; for runs, ask aggregate_metrics"),
    ],
)
def test_values_that_make_no_sense(kind, keys, message):
    with pytest.raises(InputError) as caught:
        study(kind, **COMPLETE.get(kind, {}) | keys)
    assert message in str(caught.value)


ONE_TASK = runs().query("environment == 't1'")
ONE_RUN = runs().query("not (algorithm == 'a' and environment == 't1' and run > 0)")
NEGATIVE = runs().assign(score=lambda table: table["score"] - 20)
IN_PLACE = {"kind": "reference_scores", "reference_scores": {f"t{task}": [0, 1] for task in (1, 2)}}


@pytest.mark.parametrize(
    ("table", "kind", "keys", "message"),
    [
        (runs(), "task_coverages", {"sizes": [2, 6]}, r"x\.sizes: 6 runs cannot be drawn without replacement from 5"),
        (runs(), "interval_coverage", {"sizes": [9]}, r"x\.sizes: 9 runs .* from 5. Hint: use at most 5"),
        (
            runs(),
            "probability_of_improvement",
            {"algorithms": ["a"]},
            "a comparison needs at least two algorithms, but got only a",
        ),
        (runs(), "probability_of_improvement", {"algorithms": ["a", "b"], "pairs": [["a", "c"]]}, 'no scores for "c"'),
        (runs()[1:], "protocols", {"resample": "runs"}, "the same runs on all tasks, but these have 4 to 5 runs"),
        (
            runs(1),
            "aggregate_metrics",
            {},
            "a has one run of each of 3 tasks, which cannot be resampled. Hint: add runs",
        ),
        (
            ONE_TASK,
            "aggregate_metrics",
            {"resample": "tasks_and_runs"},
            "tasks are resampled, but a has only one. Hint: ",
        ),
        (runs(), "aggregate_metrics", {"scale": IN_PLACE}, "no reference scores for t3. Hint: add the two"),
        (
            NEGATIVE,
            "plan_runs",
            {},
            r"x\.lifts: [ab]: .* raising scores by 50 % changes iqm from -1.* Hint: .* min_max .*; or set lifts",
        ),
        (ONE_RUN, "plan_runs", {"algorithms": ["a"]}, "a / t1 has one run, so the pilot shows no spread. Hint"),
        (
            runs(),
            "interval_coverage",
            {"levels": [0.9], "methods": ["bc"]},
            r"levels apply only to the percentile .* Hint: set methods",
        ),
    ],
)
def test_questions_that_the_table_cannot_answer(table, kind, keys, message):
    with pytest.raises(InputError, match=message) as caught:
        check_question(table, study(kind, **COMPLETE.get(kind, {}) | keys))
    assert caught.value.where.startswith(("questions.x", "scales.s"))


def test_a_right_table_passes():
    for kind in ("sequential_comparison", "false_alarm_rates"):
        check_question(runs(), study(kind, algorithms=["a", "b"]))
    check_question(runs(), study("plan_runs"))
    for table in (runs(), ONE_TASK):
        check_rows(table)
        check_question(table, study("aggregate_metrics"))


def episodes():
    """Three runs of twenty episodes each, numbered as sixty runs."""
    rng, rows = np.random.default_rng(1), []
    for task in ("t1", "t2", "t3", "t4"):
        of_run = rng.normal(size=3)
        rows += [("a", task, number, of_run[number // 20] + 0.05 * rng.normal()) for number in range(60)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            runs().rename(columns={"run": "environment", "environment": "run"}),
            r"environments are numbered \(0\) and runs are named \(t1\)\. Hint: are the",
        ),
        (
            episodes(),
            r"each of its 60 runs is more like the one before it .* Hint: average the episodes .* check_axes: false",
        ),
    ],
)
def test_tables_whose_rows_are_no_runs(table, message):
    with pytest.raises(InputError, match=message):
        check_rows(table)


@pytest.mark.parametrize(
    ("table", "algorithms", "message"),
    [
        (episodes(), ["a"], r"^sources\.runs: t\.csv: a: each of its 60 runs is more like the one before it"),
        (runs(), ["a", "c"], r'^questions\.x\.algorithms: no scores for "c"\. Hint: use one of a, b'),
    ],
)
def test_jobs_check_the_table_that_they_read(own_folder, table, algorithms, message):
    table.to_csv("t.csv", index=False)
    sources = {"runs": {"kind": "score_table", "file": "t.csv"}}
    questions = {"x": {"kind": "rank_probabilities", "algorithms": algorithms}}
    jobs = planned({"sources": sources, "questions": questions})
    with pytest.raises(InputError, match=message):
        make(jobs, lambda job: job.stage in ("collect", "normalize", "aggregate", "estimate"))


def test_runs_of_many_settings_are_asked_about_tuning_alone():
    config = {"title": "T", "sources": {"runs": {"kind": "score_table", "file": "t.csv", "hyperparameters": ["rate"]}}}
    config |= {"scales": {"s": {"hyperparameters": ["rate"]}}}

    def asked(kind):
        questions = {"questions": {"x": {"kind": kind, "scores": ["s"]}}}
        return validate_configuration({"studies": {"mine": config | questions}}, []).studies["mine"]

    table = pd.concat([runs().assign(rate=rate) for rate in (1, 2)])
    check_question(table, asked("hyperparameter_sensitivity"))
    with pytest.raises(
        InputError, match='"s" has runs of many hyperparameter settings, but aggregate_metrics needs runs of one'
    ):
        asked("aggregate_metrics")
    del config["sources"]["runs"]["hyperparameters"]
    with pytest.raises(
        InputError, match='hyperparameter_sensitivity needs columns of hyperparameters, which the scale "s" lacks'
    ):
        asked("hyperparameter_sensitivity")
    del config["scales"]["s"]["hyperparameters"]
    config["sources"]["runs"]["hyperparameters"] = ["rate"]
    with pytest.raises(InputError, match="there is no hyperparameter column"):
        check_question(table, asked("hyperparameter_sensitivity"))
