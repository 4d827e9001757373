"""Tables of runs of several hyperparameter settings, and the scores of each setting as an array."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import InputError, nearest
from surefoot.questions._framework.checking import check_algorithms
from surefoot.questions._framework.types import Items
from surefoot.runs.columns.run_tables import HYPERPARAMETERS
from surefoot.runs.sections import EACH_ONCE, UNIQUE
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.score_arrays import algorithms_of, natural_order

Hyperparameters = Annotated[
    Items[str],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=['["learning_rate", "entropy"]'],
        description="Columns of the hyperparameters. Default: the columns declared when the runs were read, or else "
        "all columns except algorithm, environment, run and score.",
    ),
]
_KEYS = ["algorithm", "environment", "run"]


class Tried(NamedTuple):
    """The hyperparameter settings of an algorithm, with their scores.

    scores : float64[environments, settings, runs], NaN for missing runs
    settings : int64[settings, hyperparameters], codes of the values, equal for equal values
    names : description of each setting, such as "learning_rate=0.1"
    """

    scores: Floats
    settings: Integers
    names: list[str]

    def counts(self) -> dict[str, int]:
        """Return the columns runs (smallest number of a setting), settings and complete_settings, by name.

        A setting is complete if it has runs in all environments.
        """
        runs = np.isfinite(self.scores).sum(axis=2)
        complete = int((runs > 0).all(axis=0).sum())
        return {"runs": int(runs[runs > 0].min()), "settings": len(self.names), "complete_settings": complete}


def check_hyperparameters(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if the hyperparameters of runs are missing or unsuitable."""
    check_algorithms(table, settings, where)
    names = hyperparameter_columns(table, settings.hyperparameters)
    others = [column for column in table if column not in (*_KEYS, "score", "scores")]
    for name in names:
        if name not in others:
            hint = nearest(name, others) if others else "add a column for each, such as learning_rate"
            raise InputError(f"{where}.hyperparameters", f'there is no hyperparameter column "{name}"', hint)
        if not table[name].map(pd.api.types.is_hashable).all():
            what = f"{name} has lists or dicts as values"
            raise InputError(where, what, f'use strings, such as table["{name}"].map(str)')
        empty = table[name].isna()
        if empty.any():
            first = table[empty].iloc[0]
            what = f"{name} is missing for {' / '.join(str(first[key]) for key in _KEYS)}"
            raise InputError(where, what, "every run needs a value of each hyperparameter")
    if not names:
        raise InputError(where, "there is no hyperparameter column", "add a column for each, such as learning_rate")
    if table["environment"].nunique() < 2:
        what = "there is only one environment, so the best setting is the same for all"
        raise InputError(where, what, "add runs of the same settings in another environment")
    again = table.duplicated([*_KEYS, *names])
    if again.any():
        first = table[again].iloc[0]
        what = f"there are two scores for {' / '.join(str(first[key]) for key in (*_KEYS, *names))}"
        raise InputError(where, what, "give the runs of a setting different numbers, or name all hyperparameters")


def hyperparameter_columns(table: pd.DataFrame, asked: Any) -> list[str]:
    """Return the columns of the hyperparameters.

    asked : names of the columns; by default, the columns declared when the runs were read, or else all columns except
        algorithm, environment, run and score
    """
    asked = asked or table.attrs.get(HYPERPARAMETERS)
    return list(asked or (column for column in table if column not in (*_KEYS, "score", "scores")))


def settings_tried(runs: pd.DataFrame, hyperparameters: Any, algorithms: Any) -> Iterator[tuple[str, Tried]]:
    """Yield each algorithm with its settings, which are sorted by the values of the hyperparameters."""
    names = hyperparameter_columns(runs, hyperparameters)
    environments = list(dict.fromkeys(runs["environment"]))
    for algorithm in algorithms_of(runs, algorithms):
        rows = runs[runs["algorithm"] == algorithm].sort_values("run", key=natural_order, kind="stable")
        values = np.column_stack([natural_order(rows[name]) for name in names])
        settings, first, place = np.unique(values, axis=0, return_index=True, return_inverse=True)
        environment = pd.Categorical(rows["environment"], environments).codes
        keys = pd.DataFrame({"environment": environment, "setting": place.ravel()})
        run = keys.groupby(["environment", "setting"]).cumcount().to_numpy()
        scores = np.full((len(environments), len(settings), run.max() + 1), np.nan)
        scores[environment, place.ravel(), run] = rows["score"]
        texts = [", ".join(f"{name}={rows[name].iloc[row]}" for name in names) for row in first]
        yield algorithm, Tried(scores, settings, texts)
