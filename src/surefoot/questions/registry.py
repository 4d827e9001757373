"""The questions: every folder beside this module that has settings and an answer."""

import functools
from importlib import import_module
from pathlib import Path

from surefoot.questions.settings import Question

_HERE = Path(__file__).parent


@functools.cache
def questions() -> dict[str, type[Question]]:
    """The settings of each question by its name."""
    names = sorted(path.parent.name for path in _HERE.glob("*/settings.py") if (path.parent / "answer.py").is_file())
    return {name: import_module(f"{__package__}.{name}.settings").Settings for name in names}


def answer_module(question: str) -> str:
    """Dotted name of the module that answers a question, by its function `answer(sets, settings, shared)`."""
    return f"{__package__}.{question}.answer"
