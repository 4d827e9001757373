"""Models of all questions: what decides their results, and the tables that they take."""

import pytest
from support.asked_questions import asked

from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.question_settings import QuestionSettings


def model_of(question):
    model = questions()[question]
    names = {field.alias or name for name, field in model.model_fields.items()}
    return model.model_validate({name: value for name, value in asked(question).items() if name in names})


@pytest.mark.parametrize("question", questions())
def test_decisive_settings_decide_a_question(question):
    """They give the same model, and none of them has its default, so that new keys leave results as they are."""
    settings = model_of(question)
    decisive = settings.decisive()
    assert type(settings).model_validate(decisive) == settings and decisive.pop("kind") == question
    defaults = {field.alias or name: field.default for name, field in type(settings).model_fields.items()}
    assert not [name for name, value in decisive.items() if value == defaults[name]]


@pytest.mark.parametrize("question", questions())
def test_inputs_are_sources_scales_or_other_questions(question):
    settings = model_of(question)
    inputs = settings.inputs()
    assert {reference.partition(":")[0] for reference in inputs.values()} <= {"source", "scale", "question"}
    assert inputs and all(f"scale:{scale}" in inputs.values() for scale in settings.scales()[:1])
    assert ("scores" in inputs) == isinstance(settings, QuestionSettings)


def test_the_probability_of_improvement_is_no_metric():
    model = questions()["multiple_comparisons"]
    assert model(metric="iqm").metric_names() == ("iqm",)
    assert model(metric="probability_of_improvement").metric_names() == ()
    assert questions()["aggregate_metrics"](metrics=["mean", "iqm"]).metric_names() == ("mean", "iqm")
