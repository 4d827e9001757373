"""Results show themselves: each question that has a chart gives it for a function's answer, and its finding."""

import base64
import html
import re

import numpy as np
import pandas as pd
import pytest
import vl_convert
from asking import accepted, function_of
from ours_and_base import ARRAYS, TABLE

import surefoot
from surefoot.build.fingerprint import reached_modules
from surefoot.charts.catalogue import CATALOGUE
from surefoot.questions.registry import module_of, questions
from surefoot.questions.results import Table

GRID = {"from": 0.5, "to": 4, "count": 8}
ASKED = {
    "aggregates": {"methods": ["percentile", "student"]},
    "best_of_candidates": {"candidates": [1, 3]},
    "coverage": {"methods": ["pbp_matchings", "pbp_t"], "sizes": [3, 5], "datasets": 4},
    "coverages": {
        "metrics": ["iqm"],
        "methods": ["bca"],
        "sizes": [3, 5],
        "replacement": [True],
        "datasets": 9,
        "algorithms": ["ours"],
    },
    "curve_differences": {},
    "differences": {"metrics": ["trimmed_mean(0.1)"], "pairs": [["ours", "base"]], "sizes": [3, 5], "datasets": 9},
    "effective_dimension": {},
    "exploits": {"copies": 3},
    "false_alarm_rates": {"compare": ["ours", "base"], "rounds": 3, "datasets": 4},
    "game_intervals": {"methods": ["pbp_matchings", "anderson", "dkw"]},
    "game_scores": {},
    "gap_curve": {"thresholds": GRID},
    "group_sequential": {"group_size": 3},
    "histograms": {"bins": 4, "algorithms": ["ours"]},
    "hyperparameter_selection": {},
    "hyperparameter_sensitivity": {},
    "improvement": {},
    "lifts": {"metrics": ["iqm"], "lifts": [0, 10], "sizes": [3, 5], "datasets": 9, "algorithms": ["ours"]},
    "multiple_comparisons": {},
    "pairwise_differences": {},
    "profiles": {"thresholds": GRID},
    "protocols": {"metrics": ["iqm"], "sizes": [3, 5], "settings": 3, "runs_of_setting": 2, "datasets": 9},
    "rank_profile": {"thresholds": GRID},
    "ranks": {},
    "run_plans": {"sizes": [3, 5], "datasets": 4},
    "run_curves": {},
    "steps_to_threshold": {"threshold": 3.0},
    "sample_efficiency": {"metrics": ["iqm", "mean"]},
    "sequential_comparison": {"compare": ["ours", "base"]},
    "subsample_densities": {"metrics": ["iqm"], "algorithms": ["ours"], "sizes_of": [3], "datasets": 9},
    "subsamples": {"metrics": ["iqm"], "sizes": [3, 5], "datasets": 9},
    "evaluation_scores": {},
    "sequential_success_rates": {},
    "success_rate_differences": {},
    "success_rates": {},
    "task_coverages": {"sizes": [3, 5], "datasets": 9, "algorithms": ["ours"]},
    "task_means": {},
    "trimmed_errors": {"fractions": [0, 0.25], "sizes": [4], "datasets": 9},
    "tuning": {"candidates": 3, "tuning_runs": 2, "reported_runs": 2, "repetitions": 5},
    "views": {},
    "welch_profile": {"algorithms": ["ours", "base"], "thresholds": GRID},
}
"""What each question with a chart is asked here; one that is new needs its settings."""


OF_CURVES = ("sample_efficiency", "curve_differences")
OF_EVALUATIONS = ("run_curves", "steps_to_threshold")


def runs_for(question):
    if question in OF_CURVES:
        return {name: np.stack([scores, 2 * scores], axis=-1) for name, scores in ARRAYS.items()}
    if question in OF_EVALUATIONS:
        return pd.concat([TABLE.assign(step=step, score=TABLE["score"] * step) for step in (1, 2, 4)])
    if question == "welch_profile":
        means = TABLE.groupby(["algorithm", "environment"], sort=False)["score"].agg(["mean", "std", "size"])
        return means.reset_index().set_axis(["algorithm", "environment", "score", "deviation", "runs"], axis=1)
    if question in ("success_rates", "success_rate_differences"):
        return TABLE.assign(score=(TABLE["score"].rank(pct=True) * 10).round() / 10, trials=10)
    if questions()[question].needs == "settings":
        return pd.concat([TABLE.assign(step=step, score=TABLE["score"] + step) for step in (1, 2)])
    if question == "sequential_success_rates":
        return TABLE.assign(score=(TABLE["score"].rank(pct=True) > 0.5).astype(float), trials=1)
    if question == "tuning":
        return pd.concat(
            [TABLE.assign(candidate=candidate, score=TABLE["score"] + candidate) for candidate in range(6)],
            ignore_index=True,
        )
    return TABLE


def ask(question):
    shared = accepted(question, {"replicates": 40, "confidence": 0.9})
    return function_of(question)(runs_for(question), **ASKED[question], **shared)


@pytest.mark.parametrize("question", [name for name, model in questions().items() if model.chart])
def test_every_question_with_a_chart_shows_it_of_a_functions_answer(question):
    result = ask(question)
    vega_lite = result.chart().to_dict()  # validates
    picture = vl_convert.vegalite_to_svg(vega_lite)
    assert "NaN" not in picture and picture.count("<path") > 5
    assert vega_lite["description"] and sum(map(len, vega_lite["datasets"].values())) > 0
    shown = result._repr_html_()
    inside = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', shown)[1]
    assert base64.b64decode(inside).startswith(b"<svg")
    assert "<table" in shown


@pytest.mark.parametrize("question", [name for name, model in questions().items() if model.finding])
def test_every_finding_is_one_paragraph_of_what_the_table_says(question):
    result = ask(question)
    said = result.finding()
    assert said.endswith(".") and "\n" not in said
    assert any(word in said for word in ("ours", "base", "pair", "comparisons", "report"))
    assert f"<p>{html.escape(said)}</p>" in result._repr_html_()


def test_a_finding_follows_the_numbers():
    better, worse = (
        surefoot.aggregates(ARRAYS, replicates=40),
        surefoot.aggregates({"ours": ARRAYS["base"], "base": ARRAYS["ours"]}, replicates=40),
    )
    assert better.finding().startswith("ours has the highest IQM, ")
    assert worse.finding().startswith("base has the highest IQM, ")
    assert better.with_metrics("mean").finding().startswith("ours has the highest mean, ")
    assert better.with_metrics("mean").chart().to_dict()["description"].startswith("Mean of each algorithm")


def test_several_sets_of_runs_have_a_finding_each():
    turned = {"ours": ARRAYS["base"], "base": ARRAYS["ours"]}
    said = surefoot.aggregates({"first": ARRAYS, "second": turned}, metrics="iqm", replicates=40).finding()
    assert said.startswith("first: ours has the highest IQM, ") and " second: base has the highest IQM, " in said
    profiles = surefoot.profiles(ARRAYS, thresholds=GRID, profiles=["average_scores"], replicates=9)
    assert profiles.finding().startswith("At every threshold, ours scores at least as high as base.")


def test_algorithms_have_their_own_names():
    for question in ("aggregates", "game_scores", "ranks"):
        tables = ask(question).chart().to_dict()["datasets"].values()
        assert {"ours", "base"} <= {value for rows in tables for row in rows for value in row.values()}


def test_a_chart_shows_only_what_was_asked_for():
    means = surefoot.game_intervals(TABLE, methods=["anderson"]).chart().to_dict()
    bands = surefoot.game_intervals(TABLE, methods=["dkw"]).chart().to_dict()
    assert means["description"].startswith("Mean score of each algorithm")
    assert bands["description"].startswith("Share of runs above each score")


def test_a_question_without_a_chart_or_a_finding_says_so():
    found = surefoot.run_effects(TABLE, sizes=[4])
    assert found._repr_html_().endswith("<p>surefoot.run_effects has no chart.</p>")
    with pytest.raises(ValueError, match=r"surefoot\.run_effects: it has no chart\. Hint: `table` gives the numbers"):
        found.chart()
    with pytest.raises(ValueError, match=r"surefoot\.run_effects: it has no finding in a sentence\. Hint: "):
        found.finding()
    with pytest.raises(ValueError, match=r"does not know what was asked\. Hint: ask by a function"):
        Table(found.table()).chart()
    assert "has no chart" not in Table(found.table())._repr_html_()


@pytest.mark.parametrize("question", questions())
def test_how_an_answer_looks_does_not_decide_its_numbers(question):
    reached = reached_modules(module_of(questions()[question]))
    assert not [name for name in reached if name.endswith((".showing", ".printing", ".calling")) or ".charts" in name]


def test_the_catalogue_draws_the_charts_of_questions_by_their_names():
    named = {drawing.function for drawings in CATALOGUE.values() for drawing in drawings.values()}
    left = {name for name, model in questions().items() if model.chart and model.chart not in named}
    # In studies, the means and the distributions of the first are charts of their own, as is the coverage of a paper's
    # large run; no shipped one has curves, or asks for several views.
    assert left == {
        "views",
        "game_intervals",
        "coverage",
        "curve_differences",
        "group_sequential",
        "success_rate_differences",
    } | {*OF_EVALUATIONS}


@pytest.mark.parametrize("question", ["aggregates", "improvement"])
def test_the_description_names_the_confidence_that_was_asked_for(question):
    result = function_of(question)(TABLE, replicates=20, confidence=0.9)
    assert "90 % intervals" in result.chart().to_dict()["description"]
