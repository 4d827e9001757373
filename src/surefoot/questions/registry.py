"""The questions, each a folder, with their settings."""

import functools
from importlib import import_module

from surefoot.questions.folders import question_names
from surefoot.questions.settings import Question


@functools.cache
def questions() -> dict[str, type[Question]]:
    """The settings of each question by its name."""
    return {name: import_module(settings_module(name)).Settings for name in question_names()}


def settings_module(question: str) -> str:
    """Dotted name of the module of a question's settings."""
    return f"{__package__}.{question}.settings"


def answer_module(question: str) -> str:
    """Dotted name of the module that answers a question, by its function `answer(sets, settings, shared)`."""
    return f"{__package__}.{question}.answer"
