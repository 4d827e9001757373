"""Signatures and documentation of the functions of questions, made of their settings and of what answers them."""

import ast
import inspect
import textwrap
from typing import get_args

from surefoot.questions.arguments import argument_fields, described, plain_type
from surefoot.questions.folders import answer_path
from surefoot.questions.registry import questions
from surefoot.questions.settings import Grid

_RUNS = {
    "scores": "Scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict "
    "{algorithm: array of runs x tasks}",
    "runs": "Scores as they are, one row per run: a table with the columns algorithm, environment, run, score; or a "
    "dict {algorithm: array of runs x tasks}",
    "plays": "Plays of agents, as a study with a source of the kind plays collects them",
    "same_hyperparameters": "Runs of the same hyperparameters: a table with the columns algorithm, environment, "
    "candidate, run, score",
    "evaluations": "Learning curves, each run at its own steps: a table with the columns algorithm, environment, run, "
    "step, score, as `surefoot.read_runs` gives it",
    "outcomes": "Outcomes of trials, several rows per run: a table with the columns algorithm, environment, run, "
    "score, 1 for a success and 0 for a failure; or one row per run with the success rate, and a column trials",
    "curves": "Scores along the training: a table with the columns algorithm, environment, run, step, score; or a dict "
    "{algorithm: array of runs x tasks x steps}",
    "means": "Published means: a table with the columns algorithm, environment, score, deviation, runs",
    "times": "Times: a table of problems x methods, or a dict {method: times of the problems}",
}
"""What runs must be, by what a question needs of them."""
_SEVERAL = "; or several such sets of runs by name, {name: runs}"
_POINTS = " Either {from: ..., to: ..., count: ...}, or a list of the points, ascending."
_WIDTH = 100


def signature(question: str) -> inspect.Signature:
    """The runs, and by keyword the arguments with their types and defaults."""
    parameters = [inspect.Parameter("runs", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
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
    about, _, table = _docstring_of_answer(question).partition("\n\nReturns\n-------\n")
    lines = [inspect.cleandoc(model.__doc__ or ""), "", about, "", "Parameters", "----------"]
    taken = str(getattr(model, "needs", None) or getattr(model, "takes", "runs"))
    lines += _entry("runs", f"{_RUNS[taken]}{_SEVERAL if getattr(model, 'several_sets', False) else ''}.")
    for name, field in argument_fields(question).items():
        points = _POINTS if Grid in get_args(field.annotation) else ""
        usual = "" if field.is_required() or field.default is None else f" By default {_written(field.default)}."
        lines += _entry(name, f"{described(field).description}{points}{usual}")
    lines += ["", "Returns", "-------", "A result, whose method `table` gives", table or "the columns named above"]
    return "\n".join(lines)


def _entry(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name} : {text}", _WIDTH, subsequent_indent="    ")


def _written(default: object) -> str:
    return ", ".join(map(str, default)) or "none" if isinstance(default, tuple) else str(default)


def _docstring_of_answer(question: str) -> str:
    """From the source, since importing it takes seconds."""
    body = ast.parse(answer_path(question).read_text(encoding="utf-8")).body
    found = next(part for part in body if isinstance(part, ast.FunctionDef) and part.name == "answer")
    return ast.get_docstring(found) or ""
