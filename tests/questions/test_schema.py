"""The schema of the configuration is made of its models: the file for editors and readers is the one that they make."""

import json

import pytest

from surefoot.configuration.schema import SCHEMA_PATH, schema
from surefoot.questions.registry import questions
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.scales.registry import scales
from surefoot.sources.registry import sources

STUDY = schema()["properties"]["studies"]["additionalProperties"]["properties"]
KINDS = {"sources": sources(), "scales": scales(), "questions": questions()}


def chosen(part):
    """The keys of each kind of entry, by its name."""
    entries = STUDY[part]["additionalProperties"]["allOf"]
    return {entry["if"]["properties"]["kind"]["const"]: entry["then"]["properties"] for entry in entries}


def test_the_file_is_what_the_models_make():
    """After a change of a model, `python -m surefoot schemas` writes it anew."""
    assert json.loads(SCHEMA_PATH.read_text()) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("part", KINDS)
def test_every_kind_of_entry_is_in_the_schema(part):
    assert set(chosen(part)) == set(KINDS[part])
    assert STUDY[part]["additionalProperties"]["properties"]["kind"]["enum"] == list(KINDS[part])


@pytest.mark.parametrize(("part", "kind"), [(part, kind) for part in KINDS for kind in KINDS[part]])
def test_every_key_of_an_entry_is_described(part, kind):
    properties = chosen(part)[kind]
    assert [key for key, said in properties.items() if key != "kind" and not said.get("description")] == []


def test_a_question_says_where_it_is_asked_and_of_what():
    asked = questions().values()
    of_scores = [question for question in asked if issubclass(question, QuestionSettings)]
    assert {question.stage for question in asked} == {"aggregate", "estimate", "cover"}
    assert {question.needs for question in of_scores} == {"scores", "curves", "means", "times"}
    assert all(question.instead for question in of_scores if question.needs != "scores")
    of_runs = [question for question in asked if issubclass(question, QuestionOfRuns)]
    assert {question.takes for question in of_runs} == {"runs", "plays", "same_hyperparameters"}
    assert set(asked) == {*of_scores, *of_runs}
