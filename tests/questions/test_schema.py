"""The schema of questions is made of their models: the file that the workflow reads is the one that they make."""

import json

import pytest

from surefoot.configuration.validation import ANALYSIS_SCHEMA_PATH
from surefoot.questions.registry import questions, schema


def test_the_file_is_what_the_models_make():
    """After a change of a model, `python -m surefoot schemas` writes it anew."""
    assert json.loads(ANALYSIS_SCHEMA_PATH.read_text()) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("chosen", schema()["allOf"], ids=lambda chosen: chosen["if"]["properties"]["kind"]["const"])
def test_every_key_of_a_question_is_described(chosen):
    properties = chosen["then"]["properties"]
    assert [key for key, part in properties.items() if key != "kind" and not part.get("description")] == []


def test_a_question_says_where_it_is_asked_and_of_what():
    assert {question.stage for question in questions().values()} == {"estimate", "cover"}
    assert {question.needs for question in questions().values()} == {"scores", "curves", "means", "times"}
    assert all(question.instead for question in questions().values() if question.needs != "scores")
