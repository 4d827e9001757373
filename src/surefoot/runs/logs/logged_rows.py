"""Logs with one row per logging event: their steps, NaN, and cells that are not numbers.

The mean of a list of episode scores is one point of a curve.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, conjugated, counted, shown
from surefoot.runs.columns.numbers import as_floats, numbers, score_array
from surefoot.runs.columns.run_names import refuse_other_kinds
from surefoot.runs.logs.continued import PART, split_parts, without_restarts
from surefoot.runs.logs.logged_curves import Curve, Floats, Reading
from surefoot.runs.logs.metrics import chosen_metrics, returns_among, steps_among

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


WALL_TIME = "wall_time"
"""Value of `Reading.step` for seconds since the beginning of a run."""
NOTHING_UNDEFINED = pd.DataFrame()


def along(
    points: pd.DataFrame, counters: Mapping[str, pd.DataFrame], start: float, curve: Curve, reading: Reading
) -> pd.DataFrame:
    """Replace the steps of points by the requested counter, which was logged separately from the scores, or by time.

    Parameters
    ----------
    points : columns step, score, and time (in seconds)
    counters : logged points by name; the last value of the counter at or before a step is used
    start : time at which the run began

    Raises
    ------
    InputError
        if the counter was not logged
    """
    others = points.drop(columns="time")
    if reading.step is None:
        return others
    if reading.step == WALL_TIME:
        return others.assign(step=points["time"] - start)
    name = steps_among([WALL_TIME, *counters], reading, curve.place)
    counter = counters[name][["step", "score"]].dropna().drop_duplicates("step", keep="last")
    counter = counter.rename(columns={"score": "counted"}).sort_values("step")
    merged = pd.merge_asof(others.sort_values("step", kind="stable"), counter, on="step")
    if lost := int(merged["counted"].isna().sum()):
        remark = f"{curve.place}: {counted(lost, 'point')} of {curve.metric} before the first {name} left out"
        reading.leave_out(curve.source, "no step", remark, rows=lost, place=curve.place, metric=curve.metric)
    merged = merged[merged["counted"].notna()]
    return merged.assign(step=merged["counted"]).drop(columns="counted")


def curves_of_rows(
    curve: Curve,
    rows: pd.DataFrame,
    axis: str,
    reading: Reading,
    known: Mapping[str, Sequence[str]] | None = None,
    others: Sequence[str] = (),
    undefined: pd.DataFrame = NOTHING_UNDEFINED,
    counts_empty_cells: bool = True,
) -> Iterator[Curve]:
    """Yield the curves of a log whose rows have only the values that were logged at one time.

    Scores without a step take the last logged step if their metric is never logged with a step, and are left out
    otherwise. Rows that a restart overwrites are also left out.

    Parameters
    ----------
    curve : attributes that the curves share, with a kind if it applies to all
    axis : column of steps
    known : names of returns by kind, as in `chosen_metrics`
    others : numeric columns that are not metrics
    undefined : mask of values that were logged as NaN (as opposed to not logged), by column, with the index of the rows
    counts_empty_cells : True to record rows without a value of the score as not logged; False if the rows were combined
        from several files
    """
    if rows[axis].dtype != np.float64:
        rows = rows.assign(**{axis: numbers(str(curve.source), rows[axis])})
    has_step = rows[axis].notna()
    with_step = rows if has_step.all() else rows[has_step]
    usable = without_restarts(with_step, axis, curve.source, curve.place, reading)
    available = _possible_metrics(rows, [axis, *others], known, reading)
    chosen = chosen_metrics(available, reading, known, curve.kind)
    is_logged = {metric: _is_logged(rows, metric, undefined) for metric, _ in chosen}
    if chosen and counts_empty_cells:
        reading.empty_cells(curve, int((~np.any(list(is_logged.values()), axis=0)).sum()))
    for metric, kind in chosen:
        of_metric = curve._replace(kind=kind, metric=metric)
        # For a thousand small files whose rows are complete, selecting rows would take longer than anything else.
        logged = usable if is_logged[metric].all() else usable[is_logged[metric][usable.index]]
        if with_step is not rows and len(without := rows[is_logged[metric] & ~has_step]):
            logged = _with_last_steps(of_metric, without, usable, logged, axis, reading)
        yield from split_parts(of_metric, _points(of_metric, logged, axis, reading))


def _possible_metrics(
    rows: pd.DataFrame, others: Sequence[str], known: Mapping[str, Sequence[str]] | None, reading: Reading
) -> list[str]:
    """Return the columns that may be metrics: numeric columns, partly numeric returns, and requested columns.

    Parameters
    ----------
    others : columns that are not metrics
    known : names of returns by kind, as in `chosen_metrics`
    """
    kinds = {name: kind.kind for name, kind in rows.dtypes.items() if name not in others}
    numeric = [name for name, kind in kinds.items() if kind in "fiu" and rows[name].notna().any()]
    returns = chain.from_iterable((returns_among(rows.columns) if known is None else known).values())
    mixed = [name for name in returns if name in kinds and _has_numbers(rows[name])]
    # Including columns of strings, so that a clear error is raised later.
    asked = [name for name in reading.asked or () if name in kinds]
    return list(dict.fromkeys([*numeric, *mixed, *asked]))


def _is_logged(rows: pd.DataFrame, metric: str, undefined: pd.DataFrame) -> pd.Series:
    """Return a mask of the rows in which a metric was logged, including as NaN."""
    is_logged = rows[metric].notna()
    if metric in undefined:
        is_logged |= undefined[metric].reindex(rows.index, fill_value=False).astype(bool)
    return is_logged


def _points(curve: Curve, logged: pd.DataFrame, axis: str, reading: Reading) -> pd.DataFrame:
    """Return the steps and scores of a curve from rows with its metric, and a column of parts if there are several."""
    scores = score_numbers(curve, logged[curve.metric], reading)
    steps = logged[axis] if len(scores) == len(logged) else logged.loc[scores.index, axis]
    points = pd.DataFrame({"step": steps, "score": scores})
    points = points.assign(**{PART: logged[PART]}) if PART in logged else points
    return _from_first_number(curve, points, reading)


def _has_numbers(column: pd.Series) -> bool:
    """Return True if some cells of a column of strings are numbers, so that the other cells may be damaged."""
    return column.dtype.kind not in "fiub" and bool(pd.to_numeric(column, errors="coerce").notna().any())


def _from_first_number(curve: Curve, points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Drop leading NaN scores, which loggers write until the first episode has ended."""
    scores = points["score"].to_numpy(np.float64)
    if not scores.size or not np.isnan(scores[0]):
        return points
    early = np.cumsum(~np.isnan(scores)) == 0
    remark = (
        f"{curve.place}: {curve.metric} is NaN in {counted(int(early.sum()), 'row')} before its first number, left out"
    )
    reading.leave_out(curve.source, "NaN", remark, rows=int(early.sum()), place=curve.place, metric=curve.metric)
    return points[~early]


def _with_last_steps(
    curve: Curve, without: pd.DataFrame, usable: pd.DataFrame, logged: pd.DataFrame, axis: str, reading: Reading
) -> pd.DataFrame:
    """Return the rows of a metric, with the last logged step if the metric is never logged with a step.

    Parameters
    ----------
    without : rows of the metric without a step
    usable : all rows with a step
    logged : rows of the metric with a step
    """
    if len(logged):
        count = f"{len(without):,} of {counted(len(without) + len(logged), 'row')}"
        are = conjugated("are", len(without))
        remark = f"{curve.place}: {count} of {curve.metric} without a step ({axis}) {are} left out"
        reading.leave_out(curve.source, "no step", remark, rows=len(without), place=curve.place, metric=curve.metric)
        return logged
    together = pd.concat([usable, without]).sort_index(kind="stable")
    filled = together.assign(**{name: together[name].ffill() for name in (axis, PART) if name in together})
    filled = filled.loc[without.index]
    with_step = filled[filled[axis].notna()]
    reading.remark(
        f"{curve.place}: {curve.metric} is logged without a step ({axis}) in {counted(len(without), 'row')}; "
        "each gets the last step that was logged before it"
    )
    if lost := len(filled) - len(with_step):
        are = conjugated("are", lost)
        remark = f"{curve.place}: {counted(lost, 'row')} of {curve.metric} before the first step {are} left out"
        reading.leave_out(curve.source, "no step", remark, rows=lost, place=curve.place, metric=curve.metric)
    return with_step
