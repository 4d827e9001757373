"""The page of the functions: each entry has the call of a function and what its docstring says."""

import inspect
import re

import pytest

import surefoot
from surefoot.questions.registry import questions
from surefoot.reference import functions_page

ASKED = [name for name in surefoot.__all__ if name in questions()]


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


@pytest.mark.parametrize("name", surefoot.__all__)
def test_every_argument_is_described_and_no_list_is_run_together(page, name):
    text = entry(page, name)
    lists = re.findall(r"^- ((?:`\w+`(?:, )?)+)", text, re.MULTILINE)
    described = re.findall(r"\w+", " ".join(lists))
    assert set(inspect.signature(getattr(surefoot, name)).parameters) <= set(described)
    assert " : " not in text


def test_the_overview_leads_to_every_question(page):
    rows = dict(re.findall(r"^- \[(\w+)\]\(#(\w+)\): \S", page, re.MULTILINE))
    assert rows == {name: name for name in ASKED}


def test_rules_are_a_list_and_errors_stand_apart(page):
    text = entry(page, "scores_of_curves")
    assert "\n- `last_k`: the mean of the last `amount` evaluations\n- `last_episodes`: " in text
    assert "*Raises*\n\n- `HintedError`: an unknown rule, " in text


def test_types_are_those_of_the_arguments(page):
    assert "- `threshold` (`float | dict[str, float]`)" in entry(page, "steps_to_threshold")
    assert "- `resampled` (`Literal['runs', 'whole_runs', 'tasks_and_runs']`)" in entry(page, "aggregates")
    assert "- `thresholds` (`dict | Sequence[float]`)" in entry(page, "profiles")
