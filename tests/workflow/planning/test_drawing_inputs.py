"""Inputs of drawings: the tables of their arguments, records in place of results, and facts about the study."""

import pytest
from support.one_study import planned

from surefoot.charts.drawing import Need
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.drawing_inputs import (
    StudyTables,
    needs_of,
    negated_kind,
    numbers_drawn,
    record_index,
    study_facts,
    study_tables,
    tables_taken,
)

PROFILES = "surefoot.charts.profile_charts:performance_profiles_chart"  # requires its argument `table`
RUNS = {"runs": {"kind": "score_table", "file": "scores.csv"}}


def study_of(**content):
    given = {"title": "Mine", "sources": RUNS} | content
    return validate_configuration({"studies": {"mine": given}}, []).studies["mine"]


def test_the_tables_of_an_argument_are_one_several_or_by_name():
    first, second, absent = (Need("collect", name) for name in ("first", "second", "absent"))
    every = Need("every", "iqm")
    paths = {first: "results/collect/mine/first.parquet", second: "results/collect/mine/second.parquet"}
    found = StudyTables(paths | {every: {"a": "results/estimate/mine/a.csv"}}, {}, {}, {})
    tables = {"table": first, "both": (first, absent, second), "named": {"x": second, "y": absent}, "every": every}
    inputs, takes = tables_taken(PROFILES, tables, found)
    assert takes == {
        "table": "collect/mine/first",
        "both": ["collect/mine/first", "collect/mine/second"],
        "named": {"x": "collect/mine/second"},
        "every": {"a": "estimate/mine/a"},
    }
    assert inputs == {
        "collect/mine/first": "results/collect/mine/first.parquet",
        "collect/mine/second": "results/collect/mine/second.parquet",
        "estimate/mine/a": "results/estimate/mine/a.csv",
    }
    assert tables_taken(PROFILES, {"table": absent}, found) is None
    assert list(needs_of(tables)) == [first, first, absent, second, second, absent, every]


def test_the_first_question_of_a_kind_has_its_tables(own_folder):
    (own_folder / "scores.csv").touch()
    kind = "evaluation_game_scores"
    questions = {"one": {"kind": kind}, "two": {"kind": kind}}
    jobs = planned({"sources": RUNS, "questions": questions})
    found = study_tables("mine", study_of(questions=questions), jobs)
    one, two = (f"results/aggregate/mine/{name}.csv" for name in questions)
    assert found.paths[Need("first", kind)] == found.paths[Need("answer", "one")] == one
    assert found.paths[Need("first", kind, "weights")] == "results/aggregate/mine/one_weights.csv"
    assert found.paths[Need("every", kind)] == {"one": one, "two": two}
    assert found.questions[Need("first", kind)] == "one" and found.questions[Need("answer", "two")] == "two"
    assert found.recorded == found.larger == {}


@pytest.mark.parametrize("question", [{"kind": "task_means"}, {"kind": "aggregate_metrics", "scores": ["none"]}])
@pytest.mark.parametrize("name", ["runs", "learned", "plays"])
def test_drawings_are_of_the_source_that_the_questions_use(name, question, own_folder):
    """Whatever its name: with another one than `runs`, a page did not say which runs it left out."""
    for file in ("scores.csv", "others.csv"):
        (own_folder / file).touch()
    others = {"kind": "score_table", "file": "others.csv"}
    study = {
        "sources": {"aside": others, name: RUNS["runs"] | {"failed_runs": "drop"}},
        "scales": {"none": {"kind": "none", "source": name}},
        "questions": {"means": question if "scores" in question else question | {"source": name}},
    }
    found = study_tables("mine", study_of(**study), planned(study))
    assert found.paths[Need("collect", "runs")] == f"results/collect/mine/{name}.parquet"
    assert Need("collect", "plays") not in found.paths
    assert study_facts("mine", study_of(**study), found, [])["short_runs"] == "drop"


def test_a_question_is_no_interval_method_of_the_same_name(own_folder):
    (own_folder / "scores.csv").touch()
    questions = {"bootstrap": {"kind": "aggregate_metrics"}}
    found = study_tables("mine", study_of(questions=questions), planned({"sources": RUNS, "questions": questions}))
    assert found.paths[Need("answer", "bootstrap")] == "results/estimate/mine/bootstrap.csv"
    assert Need("estimate", "bootstrap") not in found.paths


def test_a_record_says_when_it_was_made_of_how_many_resamples():
    record = record_index("recht2018")
    assert record and all(row["made"][:2] == "20" and int(row["n_resamples"]) >= 1 for row in record.values())
    assert record_index("no_such_study") == {}


def test_resamples_are_those_of_the_question_or_of_the_study():
    subsamples = {"metrics": ["iqm"], "sizes": [2], "datasets": 9}
    questions = {"aggregate_metrics": {"n_resamples": 70}, "subsample_metrics": subsamples}
    study = study_of(questions=questions, n_resamples=40)
    assert numbers_drawn(study, "aggregate_metrics") == (70, 1)
    assert numbers_drawn(study, "subsample_metrics") == (40, 9)


@pytest.mark.parametrize(
    ("lower", "scale", "kind"),
    [(True, "none", "aggregate_metrics"), (False, "none", ""), (True, "min_max", "")],
)
def test_scores_as_they_were_logged_are_drawn_in_their_unit(lower, scale, kind):
    sources = {"runs": RUNS["runs"] | {"lower_is_better": lower}}
    study = study_of(sources=sources, scales={"s": {"kind": scale}}, questions={"aggregate_metrics": {"scores": ["s"]}})
    assert negated_kind(study, "aggregate_metrics") == kind
    facts = study_facts("mine", study, StudyTables({}, {}, {}, {}), [])
    assert facts["lower_is_better"] == (True if lower else []) and list(facts["scales"]) == ["s"]
