"""The methods section says of each question what it was asked with, and of which runs the figures are."""

import re

import numpy as np
import pandas as pd
import pytest
from support.paths import ROOT

from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.question_settings import Question
from surefoot.reporting.descriptions import methods_job, read_facts
from surefoot.reporting.export.latex import from_markdown
from surefoot.reporting.export.methods import (
    CountedRuns,
    RunsBehind,
    caption_ending,
    counted_runs,
    guarantees,
    methods_section,
    runs_behind,
    sentence,
    sentence_template,
)
from surefoot.runs.sections import DIVIDES_WORK
from surefoot.runs.sources.tables import LearningCurves
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.job import Job

PROJECT = ROOT
SMALL = CountedRuns(["ac", "q"], ["acrobot"], 2, 200, 15310)
NOT_IN_SENTENCES = {
    *("kind", "source", "scores", "scale"),  # what a question is asked of, which is stated alike for all
    *("methods", "n_resamples", "confidence_level"),  # stated with the intervals
    *("ticks", "points", "policies", "inherits", *DIVIDES_WORK),  # how an answer is drawn or computed
}


@pytest.fixture(scope="module")
def facts():
    return read_facts(methods_job().inputs)


@pytest.fixture(scope="module")
def studies():
    files = [PROJECT / "config" / "config.yaml", *sorted((PROJECT / "config" / "studies").glob("*.yaml"))]
    return validate_configuration(read_configuration(files), files).studies


def said(studies, facts, kind, **settings):
    titles = {"q": "Q(λ)", "ac": "AC"}
    return from_markdown(sentence(studies["example"], asked_as(kind, **settings), facts, titles))


def asked_as(kind, **settings) -> Question:
    return questions()[kind].model_validate({"kind": kind, **settings})


def test_a_band_promises_what_was_asked_for(facts):
    whole, single = (asked_as("sample_efficiency", band=band) for band in ("simultaneous", "pointwise"))
    assert "whole curve" in guarantees(whole, facts)[0] and "one step at a time" not in guarantees(whole, facts)[0]
    assert "one step at a time" in guarantees(single, facts)[0] and "whole" not in guarantees(single, facts)[0]


@pytest.mark.parametrize(
    ("kind", "settings", "words"),
    [
        ("sequential_comparison", {"algorithms": ["q", "ac"]}, r"Q(\ensuremath{\lambda}) and AC"),
        (
            "subsample_metrics",
            {"metrics": ["iqm"], "sizes": [3], "datasets": 10, "algorithms": ["q"]},
            "of 3 runs of Q(",
        ),
        ("probability_of_improvement", {}, "simultaneous intervals of all pairs (method: placements)"),
        ("probability_of_improvement", {"baseline": "q"}, "intervals of these comparisons (method: placements)"),
        ("multiple_comparisons", {}, "simultaneous intervals of all pairs ("),
        ("multiple_comparisons", {"baseline": "q"}, "simultaneous intervals of these comparisons ("),
        ("multiple_comparisons", {"paired": True}, "(Bonferroni's method)"),
        ("pairwise_differences", {"baseline": "q"}, "between each algorithm and Q("),
        ("curve_differences", {"baseline": "q"}, "between each algorithm and Q("),
        (
            "performance_profiles",
            {"thresholds": {"from": 0, "to": 2, "count": 201}},
            "at thresholds of 0 to 2 (201 points)",
        ),
        (
            "aggregate_metrics",
            {"metrics": ["optimality_gap(0.5)", "iqm weighted by runs"]},
            "(0.5) and IQM (weighted by runs)",
        ),
    ],
)
def test_each_setting_is_said(studies, facts, kind, settings, words):
    assert words in said(studies, facts, kind, **settings)


def test_what_a_setting_does_not_say_is_left_out_with_its_phrase(studies, facts):
    assert "of Q" not in said(studies, facts, "subsample_metrics", metrics=["iqm"], sizes=[3], datasets=10)
    assert "ended early" not in said(studies, facts, "run_curves")
    assert "ended early" in said(studies, facts, "run_curves", short_runs="drop")


@pytest.mark.parametrize("kind", sorted(questions()))
def test_each_question_states_its_settings_and_intervals(facts, kind):
    fields = {*questions()[kind].model_fields}
    template = sentence_template(questions()[kind].model_construct(kind=kind))
    stated = {*re.findall(r"<< ([a-z_]+) >>", template)}
    expected = fields - NOT_IN_SENTENCES - ({"resample"} if "n_resamples" in fields else set())
    assert expected <= stated <= expected | {"intervals"}
    assert ("intervals" in stated) >= ("methods" in fields or "interval" in facts["question", kind])


def test_methods_repeated_as_published_promise_no_theorem(studies, facts):
    text = methods_section(studies["jordan2020"], RunsBehind({"runs": SMALL}), facts).appendix
    promise = text.partition(r"\emph{PBP}, as published")[2].partition(r"\item")[0]
    assert "without a guarantee" in promise and "theorem" not in promise


def test_all_questions_of_a_kind_state_their_assumptions(studies, facts):
    study = studies["agarwal2021"]
    text = methods_section(study, RunsBehind({}), facts).appendix
    profiles = text.partition(r"\paragraph{Performance profiles.}")[2].partition(r"\paragraph")[0]
    counts = [
        question.thresholds.count for question in study.questions.values() if question.kind == "performance_profiles"
    ]
    assert len(counts) > 1 and all(f"({count} points)" in profiles for count in counts)
    assert "Assumptions: Runs are independent, within a task" in profiles and "Guarantee: " in profiles


def test_ends_of_a_scale_taken_from_the_runs_are_stated(studies, facts):
    study = studies["example"]
    (source,) = {scale.source for scale in study.scales.values() if scale.kind == "min_max"}
    ends = {source: {"acrobot": (-31.25, 4.0)}}
    text = methods_section(study, RunsBehind({source: SMALL}, {"acrobot": "Acrobot"}, ends), facts).appendix
    assert f"The lowest and the highest score in \\texttt{{{source}}}: Acrobot -31.25 to 4." in text


def test_the_section_states_common_settings_once(studies, facts):
    text = methods_section(studies["example"], RunsBehind({"runs": SMALL}), facts)
    assert text.section.count("vary together") == 1 < text.appendix.count("vary together")
    assert "Guarantee" not in text.section and "Guarantee" in text.appendix


def test_excluded_runs_with_curves_do_not_count(studies, tmp_path):
    counts = {"runs": 4, "runs_curves": 4, "runs_evaluations": 5}
    for name, runs in counts.items():
        table = pd.DataFrame({"algorithm": "td3", "environment": "Hopper-v4", "run": range(runs), "score": 1.0})
        table.to_parquet(tmp_path / f"{name}.parquet")
    outputs = {name: str(tmp_path / f"{name}.parquet") for name in counts}
    job = Job("collect", "mine", "runs", "surefoot.runs.sources:read", {}, (), {}, outputs)
    source = LearningCurves.model_validate({"kind": "learning_curves", "file": "curves.parquet"})
    study = studies["example"].model_copy(update={"sources": {"runs": source}})
    assert runs_behind("mine", study, [job]).sources == {"runs": (["td3"], ["Hopper-v4"], 4, 4, 4, (), "")}


def test_runs_that_crashed_are_said_with_the_other_verdict(studies, facts, tmp_path):
    said = "1 of 4 runs left no score. With these left out, the verdict is another: a is better."
    rows = [("short_runs", said, np.nan), ("account", "3 runs", np.nan)]
    pd.DataFrame(rows, columns=["item", "text", "value"]).to_csv(tmp_path / "verdict.csv", index=False)
    outputs = {"verdict.csv": str(tmp_path / "verdict.csv")}
    job = Job("draw", "mine", "study", "surefoot.charts.draw:draw", {"drawings": {}}, (), {}, outputs)
    runs = runs_behind("mine", studies["example"], [job])._replace(sources={"runs": SMALL})
    assert said in methods_section(studies["example"], runs, facts).section


def test_each_scale_is_said_with_the_scores_that_are_on_it(studies, facts):
    text = methods_section(studies["recht2018"], RunsBehind({}), facts).section
    assert r"Scores \emph{machado2018} are taken as they are." in text
    assert r"Scores \emph{Atari 200M} are on the scale between the reference scores (atari human)" in text


@pytest.mark.parametrize(
    ("study", "asked", "ending"),
    [
        (
            "example",
            ["aggregate_metrics"],
            "3 to 12 runs of each algorithm in each environment. Intervals: Student, 95 %; 20,000 resamples.",
        ),
        (
            "jordan2020",
            ["evaluation_game_intervals"],
            "3 to 12 runs of each algorithm in each environment. Intervals: 95 %.",
        ),
        ("example", [], ""),
    ],
)
def test_a_caption_ends_with_runs_method_and_resamples(studies, study, asked, ending):
    few = RunsBehind({"runs": CountedRuns(["a", "b"], ["x", "y"], 3, 12, 30)})
    assert caption_ending(studies[study], asked, few) == ending


def test_runs_count_once_and_agents_by_their_parameters():
    cells = [("a", "maze", run, step) for run in range(3) for step in range(5)] + [("b", "maze", 0, 0)]
    table = pd.DataFrame(cells, columns=["algorithm", "environment", "run", "step"])
    assert counted_runs(table) == CountedRuns(["a", "b"], ["maze"], 1, 3, 4)
    assert counted_runs(pd.DataFrame({"x": [1]})) is None
    cells = [("beb", "gc", run, f"beta={beta}") for beta in (1, 2) for run in range(4)] + [("random", "gc", 0, "")]
    table = pd.DataFrame(cells, columns=["algorithm", "environment", "run", "parameters"])
    assert counted_runs(table) == CountedRuns(["beb(beta=1)", "beb(beta=2)", "random"], ["gc"], 1, 4, 9)
