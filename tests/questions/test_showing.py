"""Results show themselves: each question that has a chart gives it for a function's answer, and its finding."""

import base64
import html
import re

import pytest
import vl_convert
from asking import accepted, function_of
from ours_and_base import ARRAYS, TABLE
from test_functions import ASKED, GRID, OF_RUNS, runs_of

import surefoot
from surefoot.build.fingerprint import reached_modules
from surefoot.charts.catalogue import CATALOGUE
from surefoot.questions.registry import module_of, questions
from surefoot.questions.results import Table


def ask(question):
    shared = accepted(question, {"replicates": 40, "confidence": 0.9})
    options = ASKED.get(question, OF_RUNS.get(question))
    if getattr(questions()[question], "one_algorithm", False):
        options = options | {"algorithms": ["ours"]}
    return function_of(question)(runs_of(question), **options, **shared)


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
    means = surefoot.aggregates(ARRAYS, metrics="mean", replicates=40)
    assert means.finding().startswith("ours has the highest mean, ")
    assert means.chart().to_dict()["description"].startswith("Mean of each algorithm")


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
        "run_curves",
        "steps_to_threshold",
    }


@pytest.mark.parametrize("question", ["aggregates", "improvement"])
def test_the_description_names_the_confidence_that_was_asked_for(question):
    result = function_of(question)(TABLE, replicates=20, confidence=0.9)
    assert "90 % intervals" in result.chart().to_dict()["description"]
