"""The questions, each a folder, with their settings."""

import functools
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

from surefoot.questions.folders import has_module, question_names
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


def module_of(question: str, name: str) -> ModuleType | None:
    """A module of the folder of a question that not all have, such as `check_study`; None where it has none."""
    return import_module(f"{__package__}.{question}.{name}") if has_module(question, name) else None


def modules_that_check_runs(kinds: Iterable[str]) -> list[str]:
    """Dotted names of the modules `check_runs` of these questions, as far as they have one."""
    return [f"{__package__}.{kind}.check_runs" for kind in sorted(set(kinds)) if has_module(kind, "check_runs")]
