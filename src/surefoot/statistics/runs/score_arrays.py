"""Tables of runs: natural order, conversion to one array per task, and normalization to a linear scale.

Names that denote the same number, such as 1 and 01, are the same run.

Scores are normalized as in Agarwal et al. 2021 (section 3 and appendix A.1): a normalized score is (score - zero)/(one
- zero), where zero and one are the scores of an environment that become 0 and 1.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError, listed, shortened
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.samples import GREATEST

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LONGEST = 30
POSSIBLE_SCORES = "possible_scores"
"""Key in the `attrs` of a table of scores, whose value is the pair of the lowest and the highest possible score."""


def natural_order(names: Iterable[object]) -> pd.Series:
    """Return the position of each name in natural order, from 0; equal names get the same position.

    Numbers, and names that consist of a number, come first, by value. Other names follow, compared part by part: text
    alphabetically and whole numbers by value, so run2 precedes run10.

    Parameters
    ----------
    names : Series, array or list
        Names of runs, strings or numbers, without missing values.

    Returns
    -------
    Series of int64
        It has the index of `names` if this is a Series, so that the function can be used as the key of
        `sort_values`.
    """
    column = names if isinstance(names, pd.Series) else pd.Series(list(names), dtype=object)
    if pd.api.types.is_signed_integer_dtype(column.dtype):
        return pd.Series(pd.factorize(column, sort=True)[0], index=column.index)
    codes, distinct = pd.factorize(column)
    by_rank = sorted(range(len(distinct)), key=lambda code: _sort_key(str(distinct[code])))
    places = np.empty(len(distinct), np.int64)
    places[by_rank] = np.arange(len(distinct))
    return pd.Series(places[codes], index=column.index)


def plain_names(names: pd.Series) -> pd.Series:
    """Return names as strings, with numbers in a common notation: 01, 1.0 and 1e0 become 1.

    Parameters
    ----------
    names : Series
        Names without missing values. A numeric column is returned unchanged.
    """
    if pd.api.types.is_numeric_dtype(names):
        return names
    texts = names.astype(str).str.strip()
    return texts.map({name: _plain_name(name) for name in texts.unique()})


def _plain_name(name: str) -> str:
    """Convert one name for `plain_names`; numbers are decimals, since seeds may have more digits than a float."""
    if not _NUMBER.fullmatch(name):
        return name
    number = Decimal(name)
    short = abs(number.adjusted()) < _LONGEST and len(number.as_tuple().digits) < _LONGEST
    if short and number == number.to_integral_value():
        return str(int(number))
    return str(number.normalize()) if short else name


def _sort_key(name: str) -> tuple[Any, ...]:
    """Return a key that sorts names in natural order; it ends with the name, so that 07 and 7 have a fixed order."""
    parts = [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", name))]
    number = float(name) if _NUMBER.fullmatch(name) else np.inf
    return number, parts, name


def algorithms_of(table: pd.DataFrame, asked: Sequence[str] | None) -> list[str]:
    """Return the requested algorithms, or all algorithms of a table in order of first appearance.

    Raises
    ------
    ValueError
        If an algorithm has no scores.
    """
    available = table["algorithm"].unique().tolist()
    chosen = available if asked is None else asked
    for name in chosen:
        if name not in available:
            raise HintedError("algorithms", f'no scores for "{shortened(name)}"', f"use one of {', '.join(available)}")
    return list(chosen)


def tasks_of(table: pd.DataFrame) -> list[Any]:
    """Return the sorted tasks of a table, which are names or numbers."""
    return sorted(table["environment"].unique().tolist())


def scores_of(table: pd.DataFrame, algorithm: str) -> list[Floats]:
    """Return the scores of an algorithm, float64[runs] for each task, with runs in natural order of their names."""
    return [np.asarray(scores, np.float64) for scores in _by_task(table, algorithm, "score")]


def possible_scores(table: pd.DataFrame) -> tuple[float, float]:
    """Return the lowest and the highest possible score, which are infinite if they are unknown.

    They are known if the `attrs` of the table have the key `POSSIBLE_SCORES`, or if all scores are 0 or 1.
    """
    if POSSIBLE_SCORES in table.attrs:
        least, greatest = table.attrs[POSSIBLE_SCORES]
        return float(least), float(greatest)
    return (0.0, 1.0) if table["score"].isin((0.0, 1.0)).all() else (-np.inf, np.inf)


def runs_of(table: pd.DataFrame, algorithm: str) -> list[list[Any]]:
    """Return the names of the runs of an algorithm on each task, in the order of `scores_of`."""
    return [names.tolist() for names in _by_task(table, algorithm, "run")]


def _by_task(table: pd.DataFrame, algorithm: str, column: str) -> list[npt.NDArray[Any]]:
    """Return the values of an algorithm in a column, for each task."""
    rows = table[table["algorithm"] == algorithm]
    task_codes, present = pd.factorize(rows["environment"])
    order = np.lexsort((natural_order(rows["run"]).to_numpy(), task_codes))
    ends = np.cumsum(np.bincount(task_codes))[:-1]
    values = dict(zip(present.tolist(), np.split(rows[column].to_numpy()[order], ends), strict=False))
    tasks = tasks_of(table)
    missing = [task for task in tasks if task not in values]
    if missing:
        raise HintedError(
            "scores", f"{algorithm} has no scores in {', '.join(missing[:5])}", "use tasks that all algorithms have"
        )
    return [values[task] for task in tasks]


def mean_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Average each learning curve over its steps, and return a table with one row per run."""
    return table.groupby(["algorithm", "environment", "run"], sort=False)["score"].mean().reset_index()


def step_column(table: pd.DataFrame) -> str:
    """Return the name of the column with the training steps, which is frames if present, else step."""
    return "frames" if "frames" in table.columns else "step"


def curves_of(table: pd.DataFrame, algorithm: str) -> tuple[list[Any], list[Floats]]:
    """Return the learning curves of an algorithm; all runs must have the same steps.

    Returns
    -------
    steps : list, ascending
    curves : float64[runs, steps] for each task; tasks and runs are sorted by name
    """
    axis = step_column(table)
    rows = table[table["algorithm"] == algorithm]
    steps = sorted(set(table[axis]))
    wide = rows.pivot(index=["environment", "run"], columns=axis, values="score")[steps]
    by_task = [
        runs.droplevel("environment").sort_index(key=natural_order).to_numpy(np.float64)
        for _, runs in wide.groupby(level="environment")
    ]
    return steps, by_task


def matched_scores(table: pd.DataFrame, algorithm: str) -> Floats:
    """Return the scores of an algorithm's runs whose names occur on all tasks, float64[runs, tasks], sorted by name."""
    rows = table[table["algorithm"] == algorithm]
    wide = rows.pivot(index="run", columns="environment", values="score").reindex(columns=tasks_of(table)).dropna()
    return wide.sort_index(key=natural_order).to_numpy(np.float64)


Ends = tuple[Floats, Floats]
"""(zero, one), the scores that become 0 and 1 on a scale, float64[rows] each."""


def normalize_scores(runs: pd.DataFrame, ends: Ends, hint: str) -> pd.DataFrame:
    """Normalize the scores of a run table.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, run, score.
    ends : Ends
        Scores that become 0 and 1, for each row.
    hint : str
        Hint of the error for an environment without a valid scale.

    Returns
    -------
    The rows of `runs` with normalized scores, without the columns zero and one.

    Raises
    ------
    ValueError
        If an end is missing, if one <= zero, or if normalized scores are so large that statistics would overflow.
    """
    zero, one = ends
    bad = ~(np.isfinite(zero) & np.isfinite(one) & (one > zero))
    if bad.any():
        names = list(dict.fromkeys(runs.loc[bad, "environment"].astype(str)))
        first = int(np.flatnonzero(bad)[0])
        raise HintedError(
            "",
            f"{listed(names)}: got a scale from {zero[first]:g} to {one[first]:g}",
            hint,
        )
    with np.errstate(over="ignore", invalid="ignore"):
        width = one - zero
        score = (runs["score"].to_numpy(np.float64) - zero) / width
    overflown = ~(np.isfinite(width) & (np.abs(score) <= GREATEST))
    if overflown.any():
        first = runs[overflown].iloc[0]
        raise HintedError(
            "",
            f"{first['algorithm']} / {first['environment']} / run {first['run']}: the score "
            f"{first['score']:g} overflows",
            "divide all scores by a power of ten, or leave out invalid values",
        )
    return runs.drop(columns=["zero", "one"], errors="ignore").assign(score=score)


def least_and_greatest(runs: pd.DataFrame) -> Ends:
    """Return the lowest and the highest score of the environment of each row."""
    scores = runs.groupby("environment")["score"]
    return scores.transform("min").to_numpy(np.float64), scores.transform("max").to_numpy(np.float64)
