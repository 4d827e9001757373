"""Signatures and documentation of the functions of questions, made of their settings and of what answers them."""

import ast
import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import get_args

from surefoot.questions.arguments import argument_fields, described, plain_type
from surefoot.questions.folders import answer_path
from surefoot.questions.registry import questions
from surefoot.questions.settings import Grid

RUNS = {
    "scores": "Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; "
    "or a dict {algorithm: array of runs x tasks}",
    "runs": "Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict "
    "{algorithm: array of runs x tasks}",
    "plays": "Plays of Bayesian agents, as a study with a source of kind plays collects them",
    "same_hyperparameters": "Several runs of each of several hyperparameter settings: a table with the columns "
    "algorithm, environment, candidate, run, score",
    "evaluations": "Learning curves, each run at its own steps: a table with the columns algorithm, environment, run, "
    "step, score, as `surefoot.read_runs` returns it",
    "outcomes": "Outcomes of trials, several rows per run: a table with the columns algorithm, environment, run, "
    "score, which is 1 for a success and 0 for a failure; or one row per run with its success rate, and a column "
    "trials",
    "curves": "Learning curves at common steps: a table with the columns algorithm, environment, run, step, score; or "
    "a dict {algorithm: array of runs x tasks x steps}",
    "means": "Published means: a table with the columns algorithm, environment, score, deviation, runs",
    "times": "Times: a table of problems x methods, or a dict {method: times of the problems}",
}
"""What runs must be, by what a question needs of them."""
SEVERAL = "; or several such sets of runs by name, {name: runs}"
_POINTS = " Either {from: ..., to: ..., count: ...}, or a list of the points in ascending order."
_WIDTH = 100
_OF_ANOTHER = re.compile(r"as `(\w+)` returns it")
"""Where an answer is the table of a function that it imports, which then describes it."""


STEPS = "steps"
"""What the functions of questions of curves take beside the settings."""
_STEPS = "Environment steps of the third axis of arrays; 0, 1, 2, ... by default. Tables have a column step."


def signature(question: str) -> inspect.Signature:
    """The runs, and by keyword the arguments with their types and defaults."""
    parameters = [inspect.Parameter("runs", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    if needed(question) == "curves":
        parameters.append(inspect.Parameter(STEPS, inspect.Parameter.KEYWORD_ONLY, default=None))
    for name, field in argument_fields(question).items():
        default = inspect.Parameter.empty if field.is_required() else field.default
        annotation = plain_type(field.annotation)
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    return inspect.Signature(parameters)


def documentation(question: str) -> str:
    """The sentences of the question and of its answer, the arguments by the sentences of their fields, and what the
    answer's table has."""
    model = questions()[question]
    about, returns = _docstring_of_answer(question)
    lines = [inspect.cleandoc(model.__doc__ or ""), "", about, "", "Parameters", "----------"]
    lines += _entry("runs", f"{RUNS[needed(question)]}{SEVERAL if takes_several_sets(question) else ''}.")
    if needed(question) == "curves":
        lines += _entry(STEPS, _STEPS)
    for name, field in argument_fields(question).items():
        points = _POINTS if Grid in get_args(field.annotation) else ""
        lines += _entry(name, f"{described(field).description}{points}")
    lines += ["", "Returns", "-------", "A result, whose method `table` gives", returns]
    return "\n".join(lines)


def needed(question: str) -> str:
    """What a question needs of its runs, a key of `RUNS`."""
    model = questions()[question]
    return str(getattr(model, "needs", None) or getattr(model, "takes", "runs"))


def takes_several_sets(question: str) -> bool:
    """Whether a question may be asked of several sets of runs at once."""
    return bool(getattr(questions()[question], "several_sets", False))


def _entry(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name} : {text}", _WIDTH, subsequent_indent="    ")


def _docstring_of_answer(question: str) -> tuple[str, str]:
    """What an answer is, and what its table has; from the source, since importing it takes seconds."""
    body = ast.parse(answer_path(question).read_text(encoding="utf-8")).body
    about, returns = _parts(body, "answer")
    if another := _OF_ANOTHER.fullmatch(returns.strip()):
        imports = [part for part in body if isinstance(part, ast.ImportFrom)]
        (module,) = (str(part.module) for part in imports if another[1] in [name.name for name in part.names])
        path = answer_path(question).parents[3].joinpath(*module.split(".")).with_suffix(".py")
        returns = _parts(ast.parse(path.read_text(encoding="utf-8")).body, another[1])[1].partition("\n\nRaises\n")[0]
    return about, returns


def _parts(body: Sequence[ast.stmt], function: str) -> tuple[str, str]:
    """The docstring of a function of a module before the columns of its table, and these with what follows."""
    found = next(part for part in body if isinstance(part, ast.FunctionDef) and part.name == function)
    text = inspect.cleandoc(ast.get_docstring(found) or "")
    about, _, returns = text.partition("\n\nReturns\n-------\n")
    return about, returns
