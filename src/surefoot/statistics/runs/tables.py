"""Tables of runs: their order, their scores as arrays, one a task, and scores on a common linear scale.

Runs are in the order in which a person would number them, and names that are the same number are the same run.

Scales are those of Agarwal et al. 2021 (section 3 and appendix A.1), environment by environment. A normalized score is
(score - zero)/(one - zero); a scale says what zero and one are.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, listed, shortened
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.samples import GREATEST

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LONGEST = 30


def natural_order(names: Iterable[object]) -> pd.Series:
    """The place of each name in natural order, from 0; equal names have the same place.

    Numbers, and names that are nothing but a number, come first, by their value. Other names follow, compared part by
    part, texts as texts and whole numbers by their value: run2 stands before run10.

    Parameters
    ----------
    names : names of runs, texts or numbers, none missing; a Series (such as `sort_values(key=natural_order)` gives), an
        array or a list

    Returns
    -------
    int64 Series, with the index of names where they are a Series
    """
    column = names if isinstance(names, pd.Series) else pd.Series(list(names), dtype=object)
    codes, distinct = pd.factorize(column)
    by_rank = sorted(range(len(distinct)), key=lambda code: _sort_key(str(distinct[code])))
    places = np.empty(len(distinct), np.int64)
    places[by_rank] = np.arange(len(distinct))
    return pd.Series(places[codes], index=column.index)


def plain_names(names: pd.Series) -> pd.Series:
    """The names as texts, numbers in one way of writing: 01, 1.0 and 1e0 are 1, and so are the same run.

    Parameters
    ----------
    names : none missing; a column of numbers is left as it is
    """
    if pd.api.types.is_numeric_dtype(names):
        return names
    texts = names.astype(str).str.strip()
    return texts.map({name: _plain_name(name) for name in texts.unique()})


def _plain_name(name: str) -> str:
    """Decimals, since seeds may have more digits than a float holds."""
    if not _NUMBER.fullmatch(name):
        return name
    number = Decimal(name)
    short = abs(number.adjusted()) < _LONGEST and len(number.as_tuple().digits) < _LONGEST
    if short and number == number.to_integral_value():
        return str(int(number))
    return str(number.normalize()) if short else name


def _sort_key(name: str) -> tuple[Any, ...]:
    """What two names are compared by; the name itself comes last, so that 07 and 7 are always in one order."""
    parts = [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", name))]
    number = float(name) if _NUMBER.fullmatch(name) else np.inf
    return number, parts, name


def algorithms_of(table: pd.DataFrame, asked: Sequence[str] | None) -> list[str]:
    """The algorithms that are asked for, else all of them, in their order.

    Raises
    ------
    ValueError : one that has no scores
    """
    known = table["algorithm"].unique().tolist()
    chosen = known if asked is None else asked
    for name in chosen:
        if name not in known:
            raise HintedError("algorithms", f'no scores of "{shortened(name)}"', ", ".join(known))
    return list(chosen)


def tasks_of(table: pd.DataFrame) -> list[Any]:
    """The tasks, sorted by name, or by number where they have no names."""
    return sorted(table["environment"].unique().tolist())


def scores_of(table: pd.DataFrame, algorithm: str) -> list[Floats]:
    """Scores of an algorithm, float64[runs] for each task of the table, in the order of the runs."""
    return [rows["score"].to_numpy(np.float64) for rows in _by_task(table, algorithm)]


def runs_of(table: pd.DataFrame, algorithm: str) -> list[list[Any]]:
    """Names of the runs of an algorithm on each task, in the order of `scores_of`."""
    return [rows["run"].tolist() for rows in _by_task(table, algorithm)]


def _by_task(table: pd.DataFrame, algorithm: str) -> list[pd.DataFrame]:
    rows = table[table["algorithm"] == algorithm].sort_values("run", key=natural_order, kind="stable")
    found = dict(iter(rows.groupby("environment")))
    missing = [task for task in tasks_of(table) if task not in found]
    if missing:
        raise HintedError(
            "scores", f"{algorithm} has no scores in {', '.join(missing[:5])}", "compare on the same tasks"
        )
    return [found[task] for task in tasks_of(table)]


def mean_scores(table: pd.DataFrame) -> pd.DataFrame:
    """One score a run of learning curves, its mean over all steps, in the order in which runs first appear."""
    return table.groupby(["algorithm", "environment", "run"], sort=False)["score"].mean().reset_index()


def step_column(table: pd.DataFrame) -> str:
    """The name of the column that says when along the training a score was taken: frames, else step."""
    return "frames" if "frames" in table.columns else "step"


def curves_of(table: pd.DataFrame, algorithm: str) -> tuple[list[Any], list[Floats]]:
    """The steps, ascending, and the scores of an algorithm along them: float64[runs, steps] for each task, in the order
    of the tasks and of the runs. All runs have the same steps."""
    axis = step_column(table)
    rows, steps = table[table["algorithm"] == algorithm], sorted(set(table[axis]))
    wide = rows.pivot(index=["environment", "run"], columns=axis, values="score")[steps]
    by_task = [
        runs.droplevel("environment").sort_index(key=natural_order).to_numpy(np.float64)
        for _, runs in wide.groupby(level="environment")
    ]
    return steps, by_task


def matched_scores(table: pd.DataFrame, algorithm: str) -> Floats:
    """Scores of the runs of an algorithm that all tasks have, matched by name: float64[runs, tasks], in their order."""
    rows = table[table["algorithm"] == algorithm]
    wide = rows.pivot(index="run", columns="environment", values="score").reindex(columns=tasks_of(table)).dropna()
    return wide.sort_index(key=natural_order).to_numpy(np.float64)


Ends = tuple[Floats, Floats]
"""The scores that become 0 and 1, float64[rows] each."""


def normalize_scores(runs: pd.DataFrame, ends: Ends, hint: str) -> pd.DataFrame:
    """The runs with normalized scores.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score
    ends : for each row the scores that become 0 and 1
    hint : what helps where an environment has no scale

    Returns
    -------
    the rows of `runs` with their scores normalized, without the columns zero and one

    Raises
    ------
    ValueError : ends that are missing or have one <= zero; scores that become so large that statistics of them overflow
    """
    zero, one = ends
    bad = ~(np.isfinite(zero) & np.isfinite(one) & (one > zero))
    if bad.any():
        names = list(dict.fromkeys(runs.loc[bad, "environment"].astype(str)))
        first = int(np.flatnonzero(bad)[0])
        raise HintedError(
            "normalize",
            f"{listed(names)}: a scale from {zero[first]:g} to {one[first]:g}",
            hint,
        )
    with np.errstate(over="ignore", invalid="ignore"):
        width = one - zero
        score = (runs["score"].to_numpy(np.float64) - zero) / width
    overflown = ~(np.isfinite(width) & (np.abs(score) <= GREATEST))
    if overflown.any():
        first = runs[overflown].iloc[0]
        raise HintedError(
            "normalize",
            f"{first['algorithm']} / {first['environment']} / run {first['run']}: the score "
            f"{first['score']:g} overflows",
            "divide all scores by a power of ten, or leave out what is not a score",
        )
    return runs.drop(columns=["zero", "one"], errors="ignore").assign(score=score)


def least_and_greatest(runs: pd.DataFrame) -> Ends:
    """The lowest and the highest score of each environment in the table."""
    scores = runs.groupby("environment")["score"]
    return scores.transform("min").to_numpy(np.float64), scores.transform("max").to_numpy(np.float64)
