"""Named sets of runs as people have them: what a question takes of several tables at once."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.sources.given.columns import refuse_missing_columns
from surefoot.sources.given.curves import read_curves
from surefoot.sources.given.labelled_arrays import pandas_table
from surefoot.sources.given.means import read_means
from surefoot.sources.given.scores import read_scores
from surefoot.sources.given.times import read_times
from surefoot.sources.outcomes import KEYS, runs_of_outcomes
from surefoot.sources.settings import OUTCOMES

ONLY_SET = "runs"
"""What runs are called that come without a name, as those of a score table are in most studies."""
_COLUMNS = {
    "plays": "algorithm variant parameters environment run score failed seconds_offline seconds_online decisions",
    "same_hyperparameters": "algorithm environment candidate run score",
    "evaluations": "algorithm environment run step score",
    OUTCOMES: "algorithm environment run score",
}
"""The columns of tables of runs that have more than scores, by their kind."""
_READERS = {"scores": read_scores, "curves": read_curves, "means": read_means, "times": read_times}


def read_sets(runs: Any, needs: str, checked: bool = False) -> dict[str, pd.DataFrame]:
    """The tables of named sets of runs, read and checked.

    Parameters
    ----------
    runs : one set of runs, as the reader of what is needed takes it, or several by name, {name: set of runs}
    needs : what the question needs of the runs; see `QuestionSettings.needs`
    checked : the axes are as they should be, even if they do not look so

    Raises
    ------
    ValueError : see the readers
    """
    read = _READERS[needs]
    if not _several(runs):
        return {ONLY_SET: read(runs, checked)}
    if needs == "scores" and len(runs) > 1 and _by_environment(runs.values()):
        raise HintedError(
            "scores",
            "a dict of dicts of lists may be sets of algorithms, or algorithms in environments",
            "for algorithms in environments, a table with the columns algorithm, environment, run, score; for several "
            "sets, {set: {algorithm: array[runs, tasks]}}",
        )
    found = {}
    for name, one in runs.items():
        try:
            found[str(name)] = read(one, checked)
        except HintedError as problem:
            raise HintedError(str(name), problem.told, problem.hint) from problem
    return found


def read_runs(runs: Any, takes: str, checked: bool = False) -> pd.DataFrame:
    """A run table whose scores are as they are, with the column cell; tables of other kinds as they are given.

    Parameters
    ----------
    runs : scores as `read_scores` takes them; or, of another kind, a table with that kind's columns
    takes : the kind of table
    checked : the axes are as they should be, even if they do not look so

    Raises
    ------
    ValueError : see `read_scores`; no table; a column is missing
    """
    if takes == ONLY_SET:
        table = read_scores(runs, checked)
        return table if "cell" in table else table.assign(cell=table["algorithm"])
    table = pandas_table(runs)
    if takes == OUTCOMES and isinstance(table, pd.DataFrame):
        refuse_missing_columns(takes, table, [*KEYS, "score"])
        return runs_of_outcomes(table)
    if not isinstance(table, pd.DataFrame):
        raise HintedError(takes, f"a {type(runs).__name__} is not a table", "a table as the workflow makes it")
    refuse_missing_columns(takes, table, _COLUMNS[takes].split())
    return table


def _by_environment(members: Iterable[Any]) -> bool:
    """Whether dicts have one list of scores for each of several keys: these may be algorithms or environments."""
    return all(
        isinstance(member, Mapping)
        and len(member) > 1
        and all(isinstance(scores, Iterable) and np.ndim(next(iter(scores), 0)) == 0 for scores in member.values())
        for member in members
    )


def _several(runs: Any) -> bool:
    """Whether all members of a dict are sets of runs themselves: tidy tables, or dicts."""
    if not isinstance(runs, Mapping) or not runs:
        return False
    members = [pandas_table(member) for member in runs.values()]
    return all(
        "algorithm" in member.columns if isinstance(member, pd.DataFrame) else isinstance(member, Mapping)
        for member in members
    )
