"""Results show themselves: each question that has a chart gives it for a function's answer, and its finding."""

import base64
import functools
import html
import re

import pytest
from support.asked_questions import GRID, asked, runs_of
from support.study_answers import accepted, function_of
from support.two_algorithms import ARRAYS, TABLE

import surefoot
from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.results import Result
from surefoot.workflow.fingerprint import reached_modules


@functools.cache
def ask(question):
    shared = accepted(question, {"n_resamples": 40, "confidence_level": 0.9})
    return function_of(question)(runs_of(question), **asked(question), **shared)


@pytest.mark.parametrize("question", [name for name, model in questions().items() if model.chart])
def test_every_answer_of_a_question_with_a_chart_shows_it(question):
    result = ask(question)
    vega_lite = result.chart().to_dict()  # validates
    assert vega_lite["description"] and sum(map(len, vega_lite["datasets"].values())) > 0
    shown = result._repr_html_()
    assert not questions()[question].finding or f"<p>{html.escape(result.finding())}</p>" in shown
    picture = base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', shown)[1]).decode()
    assert picture.startswith("<svg") and "NaN" not in picture and picture.count("<path") > 5
    assert "<table" in shown and "array(" not in shown


@pytest.mark.parametrize("question", [name for name, model in questions().items() if model.finding])
def test_every_finding_is_one_paragraph_of_what_the_table_says(question):
    result = ask(question)
    said = result.finding()
    assert said.endswith(".") and "\n" not in said
    assert any(
        word in said for word in ("ours", "base", "pair", "comparisons", "report", "No algorithm", "each algorithm")
    )


def test_several_sets_of_runs_have_a_finding_each():
    turned = {"ours": ARRAYS["base"], "base": ARRAYS["ours"]}
    said = surefoot.aggregate_metrics({"first": ARRAYS, "second": turned}, metrics="iqm", n_resamples=40).finding()
    assert re.match(r"first: The IQM is .* for ours and .* second: The IQM is .* for base and ", said)
    profiles = surefoot.performance_profiles(ARRAYS, thresholds=GRID, distributions=["average_scores"], n_resamples=9)
    assert profiles.finding().startswith("At every threshold, ours scores at least as high as base.")


def test_a_question_without_a_chart_or_a_finding_says_so():
    found = surefoot.shared_run_test(TABLE, size=4)
    assert found._repr_html_().endswith("<p>surefoot.shared_run_test has no chart.</p>")
    with pytest.raises(
        ValueError, match=r"surefoot\.shared_run_test: it has no chart\. Hint: `table` returns the numbers"
    ):
        found.chart()
    with pytest.raises(ValueError, match=r"surefoot\.shared_run_test: it has no finding\. Hint: "):
        found.finding()
    with pytest.raises(ValueError, match=r"the question is unknown\. Hint: use a result of a function"):
        Result(found.table()).chart()
    assert "has no chart" not in Result(found.table())._repr_html_()


@pytest.mark.parametrize("question", questions())
def test_how_an_answer_looks_does_not_decide_its_numbers(question):
    reached = reached_modules(questions()[question].__module__)
    assert not [name for name in reached if name.endswith((".showing", ".printing", ".calling")) or ".charts" in name]
