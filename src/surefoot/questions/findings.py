"""What a study asks, and what the answers say."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pandas as pd


def contents(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """One row for each question that a study asks, in the study's order.

    Returns
    -------
    columns question (its name in the study), kind, about (what it asks), drawing (the name of the figure or table of
    the answer; empty where the page has a place of its own for it)
    """
    columns = ["question", "kind", "about", "drawing"]
    return None, pd.DataFrame(settings["asked"], columns=columns)


def table(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Column finding: what the answer that `settings["answer"]` names says."""
    said = finding(settings["kind"], tables[settings["answer"]], settings)
    return None, pd.DataFrame({"finding": [said]})


def finding(kind: str, answer: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What an answer says, in a sentence; in one for each set of runs, where there are several."""
    said: Callable[[pd.DataFrame, Mapping[str, Any]], str] = import_module(f"surefoot.questions.{kind}.show").finding
    if "scores" not in answer or answer["scores"].nunique() == 1:
        return said(answer, settings)
    return " ".join(f"{name}: {said(rows, settings)}" for name, rows in answer.groupby("scores", sort=False))
