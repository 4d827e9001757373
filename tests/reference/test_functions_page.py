"""The page of the functions: what all questions share is told once, and each entry holds what its docstring says."""

import inspect
import re

import pytest

import surefoot
from surefoot.questions.documentation import RUNS
from surefoot.questions.registry import questions
from surefoot.questions.settings import SharedSettings
from surefoot.reference.functions import functions_page


@pytest.fixture(scope="module")
def page():
    return functions_page()


def entry(page, name):
    """The section of one function."""
    (found,) = re.findall(rf"^### {name}\n\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    return found


@pytest.mark.parametrize("name", surefoot.__all__)
def test_the_call_has_every_argument_with_its_default_on_lines_that_fit(page, name):
    call = entry(page, name).split("```")[1].removeprefix("text\n")
    assert max(map(len, call.splitlines())) <= 80
    written = re.sub(r"\s+", "", call)
    for parameter in inspect.signature(getattr(surefoot, name)).parameters.values():
        shown = re.sub(r"\s+", "", str(parameter.replace(annotation=parameter.empty)))
        assert shown in written


def test_what_all_questions_share_is_described_once(page):
    for name, field in SharedSettings.model_fields.items():
        assert page.count(field.description) == 1, name
    for text in RUNS.values():
        assert len(re.findall(re.escape(text.split(":")[0]), page)) == 1
    assert "- `replicates` (`int`): " in entry(page, "run_plans")  # its default is its own
    assert "`seed` (" not in entry(page, "run_plans")


def test_every_other_argument_of_a_question_is_described_in_its_entry(page):
    for name in questions():
        own = set(inspect.signature(getattr(surefoot, name)).parameters) - set(SharedSettings.model_fields)
        assert all(f"\n- `{argument}`" in entry(page, name) for argument in own), name


def test_the_overview_leads_to_every_question(page):
    rows = dict(re.findall(r"^- \[(\w+)\]\(#(\w+)\): \S", page, re.MULTILINE))
    assert rows == {name: name for name in questions()}


def test_rules_are_a_list_and_errors_stand_apart(page):
    text = entry(page, "scores_of_curves")
    assert "\n- `last_k`: the mean of the last `amount` evaluations\n- `last_episodes`: " in text
    assert re.search(r"^\*Raises\* `HintedError`: an unknown rule, ", text, re.MULTILINE)


def test_columns_that_are_listed_one_by_one_are_a_list(page):
    text = entry(page, "coverage")
    columns = ("failure_rate", "failure_rate_truth", "significance", "wrong_order", "mean_width")
    listed = text.partition("size, datasets and\n\n- ")[2].partition("\n\nand behind each its standard error")[0]
    assert [item.partition(":")[0] for item in listed.split("\n- ")] == [f"`{name}`" for name in columns]


@pytest.mark.parametrize("name", surefoot.__all__)
def test_no_list_is_run_together(page, name):
    assert " : " not in entry(page, name)


def test_types_are_those_of_the_arguments_in_words(page):
    assert "- `threshold` (`float or dict[str, float]`)" in entry(page, "steps_to_threshold")
    assert "- `resampled` (`{'runs', 'whole_runs', 'tasks_and_runs'}`)" in entry(page, "aggregates")
    assert "- `pairs` (`sequence of sequence of str or None`)" in entry(page, "improvement")
    assert "- `thresholds` (`dict or sequence of float`)" in entry(page, "profiles")


def test_a_table_of_another_function_is_described_as_that_one_describes_it(page):
    assert "seconds_offline, seconds_decision (mean online time of a decision)" in entry(page, "agents")
    assert "see `samples_from_runs`" not in page
