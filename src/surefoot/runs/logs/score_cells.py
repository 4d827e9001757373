"""Convert the cells of scores in logs to numbers, and lists of episodes to curves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, counted, shown
from surefoot.runs.columns.numbers import as_floats, numbers, score_array
from surefoot.runs.columns.run_names import refuse_other_kinds
from surefoot.runs.logs.curves import Curve, Floats, Reading
from surefoot.runs.logs.metrics import chosen_metrics

NOT_A_NUMBER = "not a number"
"""Recorded reason for leaving out a score that is a string."""


def curves_of_episodes(
    curve: Curve,
    rows: Sequence[tuple[float, Mapping[str, Any]]],
    reading: Reading,
    known: Mapping[str, Sequence[str]],
) -> Iterator[Curve]:
    """Yield curves from a log with lists of episode scores; each point is the mean of a list.

    Parameters
    ----------
    curve : attributes that the curves share, with a kind if it applies to all
    rows : (step, {metric: scores of the episodes}) of each evaluation
    known : names of returns by kind, as in `chosen_metrics`
    """
    available = dict.fromkeys(name for _, logged in rows for name in logged)
    for metric, kind in chosen_metrics(available, reading, known, curve.kind):
        lists = [(step, logged[metric]) for step, logged in rows if logged.get(metric)]
        of_metric = curve._replace(kind=kind, metric=metric)
        arrays = [(step, _array_of_episodes(of_metric, episodes, reading)) for step, episodes in lists]
        means = [(step, scores.mean(), scores.size) for step, scores in arrays]
        points = pd.DataFrame(means, columns=["step", "score", "episodes"])
        yield of_metric._replace(points=points)


def score_numbers(curve: Curve, column: pd.Series, reading: Reading) -> pd.Series:
    """Return the scores in a column as float64, keeping missing values; strings are recorded as left out.

    Raises
    ------
    InputError
        see `without_texts`
    """
    scores = without_texts(curve, column, reading)
    if texts := len(column) - len(scores):
        reading.leave_out(curve.source, NOT_A_NUMBER, rows=texts, place=curve.place, metric=curve.metric)
    return scores


def without_texts(curve: Curve, column: pd.Series, reading: Reading) -> pd.Series:
    """Return the scores in a column as float64 without strings; a remark counts the strings.

    Raises
    ------
    InputError
        if there are strings, and `Reading.invalid_scores` is not "drop"
    """
    where = str(curve.source)
    if column.dtype.kind in "fiu":
        return numbers(where, column)
    refuse_other_kinds(where, column, str(column.name))
    floats = as_floats(column)
    is_text = floats.isna() & column.notna()
    if not is_text.any():
        return floats
    texts = column[is_text]
    if reading.invalid_scores != "drop":
        try:
            numbers(where, texts)
        except InputError as error:
            hint = f"{error.hint}; or use --invalid-scores drop to leave such rows out"
            raise InputError(error.where, error.what, hint if floats.notna().any() else error.hint) from None
    what = f"{counted(len(texts), 'row')} of {curve.metric} without a number, such as {shown(texts.iloc[0])}, left out"
    reading.remark(f"{curve.place}: {what}")
    return floats[~is_text]


def _array_of_episodes(curve: Curve, episodes: Any, reading: Reading) -> Floats:
    """Return the scores of episodes as float64; strings among numbers are treated as in `score_numbers`."""
    if isinstance(episodes, list) and any(isinstance(score, str) for score in episodes):
        column = pd.Series(episodes, dtype=object, name=curve.metric)
        return np.asarray(score_numbers(curve, column, reading), np.float64)
    return score_array(str(curve.source), curve.metric, episodes)
