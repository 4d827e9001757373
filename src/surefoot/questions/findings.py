"""What the answers of a study's questions say, in a sentence each."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pandas as pd

from surefoot.questions.folders import functions_that_show
from surefoot.questions.registry import questions


def table(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """One row for each question that the study asks, in the study's order.

    Returns
    -------
    columns question (its name in the study), kind, about (what it asks), finding (empty where it has none), drawing
    (the name of the figure or table of the answer; empty where the page has a place of its own for it)
    """
    rows = []
    for name, asked in settings["asked"].items():
        kind, answer = asked["kind"], tables.get(asked["table"])
        has = answer is not None and "finding" in functions_that_show(kind)
        rows.append(
            {
                "question": name,
                "kind": kind,
                "about": about(kind),
                "finding": finding(kind, answer, {"analysis": name, **settings}) if has else "",
                "drawing": asked["drawing"],
            }
        )
    return None, pd.DataFrame(rows, columns=["question", "kind", "about", "finding", "drawing"])


def about(kind: str) -> str:
    """What a kind of question asks: the first sentence of its settings."""
    return " ".join((questions()[kind].__doc__ or "").split("\n\n")[0].split())


def finding(kind: str, answer: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What an answer says, in a sentence; in one for each set of runs, where there are several."""
    said: Callable[[pd.DataFrame, Mapping[str, Any]], str] = import_module(f"surefoot.questions.{kind}.show").finding
    if "scores" not in answer or answer["scores"].nunique() == 1:
        return said(answer, settings)
    return " ".join(f"{name}: {said(rows, settings)}" for name, rows in answer.groupby("scores", sort=False))
