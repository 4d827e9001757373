"""Which questions there are: every folder beside this module that has settings and an answer."""

import functools
import re
from pathlib import Path

_HERE = Path(__file__).parent


def question_names() -> list[str]:
    """The names of the questions, sorted."""
    return sorted(path.parent.name for path in _HERE.glob("*/settings.py") if (path.parent / "answer.py").is_file())


@functools.cache
def has_module(question: str, name: str) -> bool:
    """Whether a question's folder has a module of this name."""
    return (_HERE / question / f"{name}.py").is_file()


def show_path(question: str) -> Path:
    """Where the module that shows the answer of a question stands, if it has one."""
    return _HERE / question / "show.py"


@functools.cache
def functions_that_show(question: str) -> tuple[str, ...]:
    """Names of the functions of the module that shows the answer of a question, which is not imported for them."""
    path = show_path(question)
    return tuple(re.findall(r"^def ([a-z]\w*)\(", path.read_text(encoding="utf-8"), re.M)) if path.is_file() else ()


def answer_path(question: str) -> Path:
    """The source of the module that answers a question."""
    return _HERE / question / "answer.py"
