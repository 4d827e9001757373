"""Tables of runs: the direction of their scores, unfinished runs, and keys of `attrs`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.numbers import numbers
from surefoot.runs.columns.run_names import RUN, refuse_bad_names, refuse_missing_columns

UNFINISHED = "unfinished"
"""Key in the `attrs` of a table of runs for a list with [algorithm, environment, run] of each unfinished run.

An unfinished run ended early or left no score.
"""
SHORT_RUNS = "short_runs"
"""Key in the `attrs` of learning curves for the arguments `short_runs` and `tolerance` of their source.

Questions about curves use them to treat runs that ended early in the same way as questions about scores.
"""
WITHOUT_SCORE = "without_score"
"""Key in the `attrs` of a table of runs for the runs without a score."""
UNNAMED_JOBS = "unnamed_jobs"
"""Key in the `attrs` of a table of runs for the paths of jobs without a score that have no row in the table.

Such a job has no row because its algorithm has no scores in its environment, or because its names cannot be inferred.
"""
HYPERPARAMETERS = "hyperparameters"
"""Key in the `attrs` of a table of runs for the names of the hyperparameter columns.

Runs with the same name may have different hyperparameters.
"""


def unfinished_runs(attrs: Mapping[Any, Any]) -> dict[str, list[list[str]]]:
    """Group unfinished runs by outcome: {"ended early" or "left no score": list of [algorithm, environment, run]}.

    attrs : `attrs` of the table of runs
    """
    without = {tuple(map(str, run)) for run in attrs.get(WITHOUT_SCORE, ())}
    by_outcome: dict[str, list[list[str]]] = {}
    for run in attrs.get(UNFINISHED, ()):
        by_outcome.setdefault("left no score" if tuple(map(str, run)) in without else "ended early", []).append(
            list(run)
        )
    return by_outcome


def directed(runs: pd.DataFrame, lower_is_better: bool | Sequence[str]) -> pd.DataFrame:
    """Negate scores for which lower is better, and add a column direction: -1 for negated scores, otherwise 1.

    lower_is_better : True for all environments, False for none, or a list of environments
    """
    is_lower = runs["environment"].astype(str).isin([] if isinstance(lower_is_better, bool) else lower_is_better)
    direction = np.where(is_lower | (lower_is_better is True), -1, 1)
    return runs.assign(score=runs["score"] * direction, direction=direction)


def trainings_apart(table: pd.DataFrame) -> pd.DataFrame:
    """Replace names of runs by numbers in a table with hyperparameters, where several runs may have the same name."""
    names = table.attrs.get(HYPERPARAMETERS)
    return table.assign(run=table.groupby([*RUN, *names], observed=True).ngroup()) if names else table


def check_runs(where: str, table: Any, columns: Sequence[str] = (*RUN, "score")) -> None:
    """Raise an InputError unless the input is a table of runs with valid names and numeric scores and steps."""
    refuse_missing_columns(where, table, columns)
    for name in RUN:
        refuse_bad_names(where, name, table[name])
    for name in table.columns.intersection(["step", "score"]):
        numbers(where, table[name])


def refuse_clusters(where: str, columns: Iterable[str], used: Iterable[str | None]) -> None:
    """Raise an InputError if there is a column "cluster" that no setting uses."""
    if "cluster" in columns and "cluster" not in used:
        hint = 'prefix the names of items with it, as in "text 3/question 1", and set use_clusters: true; or delete it'
        raise InputError(where, 'the column "cluster" has no effect in a study', hint)
