"""The signature of a question is its section in a study."""

import inspect
import re

import pytest
from support.study_answers import function_of

from surefoot.questions._framework.question_registry import parameters, questions, roles
from surefoot.questions._framework.types import Role
from surefoot.workflow.configuration.models import Study


@pytest.mark.parametrize("question", questions())
def test_the_section_of_a_study_is_the_signature(question):
    model = questions()[question]
    own = {name for name, role in roles(model.function).items() if role in (None, Role.OF_STUDY_BY_DEFAULT)}
    assert own <= set(model.model_fields) and "kind" in model.model_fields
    for name, parameter in parameters(model.function).items():
        if name in own and roles(model.function)[name] is None:
            assert model.model_fields[name].is_required() == (parameter.default is parameter.empty)
            assert model.model_fields[name].is_required() or model.model_fields[name].default == parameter.default


@pytest.mark.parametrize("question", questions())
def test_every_argument_is_documented(question):
    function = function_of(question)
    text, names = inspect.getdoc(function), inspect.signature(function).parameters
    told = text.split("\nParameters\n----------\n")[1].split("\n\n")[0]
    assert re.findall(r"^(\w+) : .", told, re.MULTILINE) == list(names)
    assert "column" in text.split("\nReturns\n-------\n")[1] and "\nNotes\n-----\nformula : " in text
    assert "Annotated" not in str(inspect.signature(function))


def test_defaults_are_those_of_a_study():
    for model in questions().values():
        for name, role in roles(model.function).items():
            if role in (Role.OF_STUDY, Role.OF_STUDY_BY_DEFAULT):
                assert parameters(model.function)[name].default == Study.model_fields[name].default
