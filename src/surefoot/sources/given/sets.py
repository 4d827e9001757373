"""Named sets of runs as people have them, published means, and times of methods on problems: what a question takes."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.columns import RUN, refuse_bad_names, refuse_missing_columns
from surefoot.errors import HintedError
from surefoot.result_tables import SCALE
from surefoot.sources.checks import runs_of_outcomes
from surefoot.sources.given.arrays import (
    named_rows,
    pandas_table,
    refuse_bad_scores,
    table_of_arrays,
)
from surefoot.sources.given.scores import read_curves, read_scores
from surefoot.sources.settings import OUTCOMES


def read_times(times: pd.DataFrame | Mapping[str, Any], checked: bool = False) -> pd.DataFrame:
    """Read and check times.

    Parameters
    ----------
    times : a table of problems x methods, or a dict {method: times of the problems, the same of all methods}; positive,
        infinite or NaN where a method does not solve a problem
    checked : changes nothing, since problems are no repetitions

    Returns
    -------
    columns algorithm (the method), environment (the number of the problem), run (0), score (the time)

    Raises
    ------
    ValueError : methods with different numbers of problems; times that are no numbers, masked or complex
    """
    table = pandas_table(times)
    given = dict(table.items()) if isinstance(table, pd.DataFrame) else table
    if not isinstance(given, Mapping) or not given:
        raise HintedError("times", f"a {type(times).__name__}", "a table of problems x methods, or {method: times}")
    found = table_of_arrays("times", given, "runs x tasks")
    problems = found.groupby("algorithm", sort=False).size()
    if problems.nunique() > 1 or found["environment"].nunique() > 1:
        counts = ", ".join(f"{name} {count}" for name, count in problems.items())
        raise HintedError("times", f"numbers of problems differ: {counts}", "NaN where a method solves none")
    return found.assign(environment=found["run"], run=0)


_OF_MEANS = ("algorithm", "environment", "score", "deviation", "runs")


def read_means(means: pd.DataFrame, checked: bool = False) -> pd.DataFrame:
    """Read and check published means.

    Parameters
    ----------
    means : a table with the columns algorithm, environment, score (the mean of the runs), deviation (their standard
        deviation) and runs (how many), one row per algorithm and task
    checked : changes nothing, since means have no axes that could be swapped

    Raises
    ------
    ValueError : not a table; a column or a name is missing; a number is not finite; a row occurs twice; an algorithm
        lacks a task; fewer than two runs, or a negative deviation
    """
    table = pandas_table(means)
    table = named_rows("means", table, _OF_MEANS[:2], _OF_MEANS[2:])[list(_OF_MEANS)]
    _refuse(table, ~np.isfinite(table[list(_OF_MEANS[2:])]).all(axis=1), "a number that is not finite", "drop the row")
    _refuse(table, table["deviation"] < 0, "a negative deviation", "the standard deviation of the runs")
    _refuse(table, table["runs"] < 2, "fewer than two runs", "a deviation needs two runs or more")
    _refuse(table, table.duplicated(["algorithm", "environment"]), "a second row", "one row per algorithm and task")
    refuse_bad_scores("means", table)
    return table


def read_settings(runs: pd.DataFrame, checked: bool = False) -> pd.DataFrame:
    """Read and check runs of hyperparameter settings.

    Parameters
    ----------
    runs : a table with the columns algorithm, environment, run, score, and columns of hyperparameters
    checked : changes nothing, since settings differ as they may

    Raises
    ------
    ValueError : not a table; a column or a name is missing; a score is not a finite number; an algorithm lacks a task
    """
    table = named_rows("runs", pandas_table(runs), RUN, ["score"])
    refuse_bad_scores("runs", table)
    return table


def _refuse(table: pd.DataFrame, bad: pd.Series, what: str, hint: str) -> None:
    for row in table[bad][:1].itertuples():
        raise HintedError("means", f"{row.algorithm} in {row.environment} has {what}", hint)


ONLY_SET = "runs"
"""What runs are called that come without a name, as those of a score table are in most studies."""
_COLUMNS = {
    "plays": "algorithm variant parameters environment run score failed seconds_offline seconds_online decisions",
    "same_hyperparameters": "algorithm environment candidate run score",
    "evaluations": "algorithm environment run step score",
    OUTCOMES: "algorithm environment run score",
}
"""The columns of tables of runs that have more than scores, by their kind."""
_READERS = {
    "scores": read_scores,
    "curves": read_curves,
    "means": read_means,
    "times": read_times,
    "settings": read_settings,
}


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
            raise HintedError(str(name), problem.sentence, problem.hint) from problem
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
        if "score" not in table and {"successes", "trials"}.issubset(table.columns):
            table = table.assign(score=table["successes"] / table["trials"])
        refuse_missing_columns(takes, table, [*RUN, "score"])
        for name in RUN:
            refuse_bad_names(takes, name, table[name])
        texts = {name: table[name].astype(str) for name in ("algorithm", "environment")}
        return runs_of_outcomes(table.assign(**texts))
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


_GREATEST_OF_A_SCALE = 100.0
"""Normalized scores are mostly below it, in percent, too; the returns of most environments are above."""
_GREATEST_OF_RATES = 1.0
MIN_MAX_REMARK = (
    "Scores are between the lowest and the highest of these runs in each environment (min_max). With other runs, these "
    "two would differ, which intervals do not allow for; reference scores that are known beforehand have no such error."
)


def scale_remark(table: pd.DataFrame, given: Any) -> str:
    """A remark on the scale of the scores, or "".

    Scores that `surefoot.normalized_scores` made say so. Others count as returns of their environments if they are
    above 1 and come from learning curves, or if in half of the tasks a typical score is above 100.

    Parameters
    ----------
    table : columns environment, score, read and checked
    given : what it was read from
    """
    if table["environment"].nunique() == 1:
        return ""
    scale = getattr(given, "attrs", {}).get(SCALE)
    if scale is not None:
        return MIN_MAX_REMARK if scale == "min_max" else ""
    typical = table["score"].abs().groupby(table["environment"], sort=False).median()
    of_curves = isinstance(given, pd.DataFrame) and "rule" in given
    limit = _GREATEST_OF_RATES if of_curves else _GREATEST_OF_A_SCALE
    if (typical.max() if of_curves else typical.median()) <= limit:
        return ""
    least, greatest = typical.idxmin(), typical.idxmax()
    return (
        f"Scores of {len(typical)} tasks are taken together as they are, and typical ones differ from "
        f"{typical[least]:,.3g} ({least}) to {typical[greatest]:,.3g} ({greatest}): unless they have a common scale, "
        "the largest decide. surefoot.normalized_scores(scores) puts them on one; checked=True drops this remark."
    )
