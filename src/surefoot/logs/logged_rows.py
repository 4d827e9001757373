"""Logs in which a row has the values of what was logged then: their steps, their restarts, and NaN."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.columns import numbers
from surefoot.logs.curves import Curve, Floats, Reading, chosen_metrics, returns_among, steps_among
from surefoot.rounding import counted

CONTINUED = (
    "--continued join, which counts the steps on, if one training went on; --continued separate, if each part is a run"
)
PART = "\0part"
"""The column with the part of a log that a row is of, if its steps begin anew."""
WALL_TIME = "wall_time"
"""What `Reading.step` calls the seconds since the beginning of a run, of logs that say when each value was logged."""
NOTHING_UNDEFINED = pd.DataFrame()


def kept_after_restarts(steps: Floats) -> npt.NDArray[np.bool_]:
    """bool[points]: the points that no later one overwrites.

    A run that is started again from an earlier state logs the same steps anew, and its steps go back: the later writer
    wins, so of what was written before only steps below those written later stay. Points of one step written one after
    the other are no restart.
    """
    restarts = np.full(steps.size + 1, np.inf)
    first = np.flatnonzero(np.diff(steps) < 0) + 1
    restarts[first] = steps[first]
    least_later: Floats = np.minimum.accumulate(restarts[::-1])[::-1][1:]
    return np.asarray(steps < least_later)


def parts_of_log(steps: Floats) -> npt.NDArray[np.int64]:
    """Return the number of the part that each row is of: another begins where steps go back to the first one of the
    log or before it, which tells nothing of what was trained before."""
    parts = np.zeros(steps.size, np.int64)
    if steps.size > 1:
        parts[1:] = np.cumsum((np.diff(steps) < 0) & (steps[1:] <= steps[0]))
    return parts


def counted_on(rows: pd.DataFrame, axis: str, path: Path, shown: str, reading: Reading) -> pd.DataFrame:
    """Return the rows of a log with steps that count on where they begin anew, or with the part that each row is of.

    Raises
    ------
    InputError
        where steps begin anew and the user doesn't say what that is
    """
    steps = rows[axis].to_numpy(np.float64)
    parts = parts_of_log(steps)
    if not parts.any():
        return rows
    row = int(np.flatnonzero(parts)[0])
    found = (
        f"its steps begin anew, from {steps[row - 1]:,.0f} to {steps[row]:,.0f} in row {row + 1:,} of {steps.size:,}"
    )
    if reading.continued is None:
        what = f"{found}: a training that went on with its counter at 0, or another one"
        raise InputError(str(path), what, CONTINUED)
    if reading.continued == "separate":
        reading.remark(f"{shown}: {found}; its {int(parts[-1]) + 1} parts are read as runs of their own")
        return rows.assign(**{PART: parts + 1})
    reading.remark(f"{shown}: {found}; they are counted on, as of one training")
    lasts = pd.Series(steps).groupby(parts).last()
    before = lasts.cumsum().shift(fill_value=0.0)
    return rows.assign(**{axis: steps + before.to_numpy()[parts]})


def without_restarts(rows: pd.DataFrame, axis: str, path: Path, shown: str, reading: Reading) -> pd.DataFrame:
    """Return the rows of a log that no later one overwrites, as `kept_after_restarts`; a remark counts the others.

    Steps that begin anew are counted on first, or the log has a column with its parts; see `split_parts`.
    """
    rows = counted_on(rows, axis, path, shown, reading)
    steps = rows[axis].to_numpy(np.float64)
    parts = rows[PART].to_numpy() if PART in rows else np.zeros(steps.size)
    if not (np.diff(steps) < 0).any():
        return rows
    kept = np.concatenate([kept_after_restarts(steps[parts == part]) for part in np.unique(parts)] or [steps > 0])
    if not kept.all():
        reading.remark(
            f"{shown}: its steps go back, as after a restart; {int((~kept).sum())} rows that were written before and "
            "lie at or after the step of the restart are left out"
        )
        reading.leave_out(path, "before a restart", rows=int((~kept).sum()), place=shown)
    return rows[kept]


def along(
    points: pd.DataFrame, counters: Mapping[str, pd.DataFrame], start: float, curve: Curve, reading: Reading
) -> pd.DataFrame:
    """Return points along the counter that is asked for, which was logged apart from the scores, or along the time.

    Parameters
    ----------
    points : columns step, score, and time (in seconds)
    counters : the points of other names, of which the last one at a step or before it holds
    start : the time at which the run began

    Raises
    ------
    InputError
        for a counter that was not logged
    """
    others = points.drop(columns="time")
    if reading.step is None:
        return others
    if reading.step == WALL_TIME:
        return others.assign(step=points["time"] - start)
    name = steps_among([WALL_TIME, *counters], reading, curve.place)
    counter = counters[name][["step", "score"]].dropna().drop_duplicates("step", keep="last")
    counter = counter.rename(columns={"score": "counted"}).sort_values("step")
    found = pd.merge_asof(others.sort_values("step", kind="stable"), counter, on="step")
    if lost := int(found["counted"].isna().sum()):
        remark = f"{curve.place}: {counted(lost, 'point')} of {curve.metric} before the first {name} left out"
        reading.leave_out(curve.source, "no step", remark, rows=lost, place=curve.place, metric=curve.metric)
    found = found[found["counted"].notna()]
    return found.assign(step=found["counted"]).drop(columns="counted")


def split_parts(curve: Curve, points: pd.DataFrame) -> Iterator[Curve]:
    """Yield the curve with these points, or one for each part of a log whose parts are runs of their own."""
    if PART not in points:
        yield curve._replace(points=points)
        return
    for part, rows in points.groupby(PART, sort=False):
        yield curve._replace(points=rows.drop(columns=PART), part=int(str(part)))


def curves_of_rows(
    curve: Curve,
    rows: pd.DataFrame,
    axis: str,
    reading: Reading,
    known: Mapping[str, Sequence[str]] | None = None,
    others: Sequence[str] = (),
    undefined: pd.DataFrame = NOTHING_UNDEFINED,
) -> Iterator[Curve]:
    """The curves of a log in which a row has the values of what was logged then, and no value of the rest.

    Scores that were logged without a step take the last one that was, if their metric never has one; else they are left
    out, and so are rows that were written before a restart and lie behind it.

    Parameters
    ----------
    curve : what the curves have in common; a kind, where it is that of all
    axis : the column of steps
    known : names of returns by kind, as in `chosen_metrics`
    others : columns of numbers that are no metrics
    undefined : where NaN was logged, by column, which is not the same as nothing; with the index of the rows
    """
    where = str(curve.source)
    rows = rows if rows[axis].dtype == np.float64 else rows.assign(**{axis: numbers(where, rows[axis])})
    numeric = [name for name, kind in rows.dtypes.items() if kind.kind in "fiu" and rows[name].notna().any()]
    asked = [name for name in reading.asked or () if name in rows]  # of texts too, which are refused
    returns = chain.from_iterable((returns_among(rows.columns) if known is None else known).values())
    mixed = [name for name in returns if name in rows and name not in numeric and _has_numbers(rows[name])]
    available = [name for name in dict.fromkeys([*numeric, *mixed, *asked]) if name not in (axis, *others)]
    has_step = rows[axis].notna()
    steps_only = rows if has_step.all() else rows[has_step]
    usable = without_restarts(steps_only, axis, curve.source, curve.place, reading)
    for metric, kind in chosen_metrics(available, reading, known, curve.kind):
        is_logged = rows[metric].notna()
        if metric in undefined:
            is_logged |= undefined[metric].reindex(rows.index, fill_value=False).astype(bool)
        logged = usable if is_logged.all() else usable[is_logged[usable.index]]
        of_metric = curve._replace(kind=kind, metric=metric)
        if not has_step.all() and (is_logged & ~has_step).any():
            logged = _with_last_steps(of_metric, rows[is_logged & ~has_step], usable, logged, axis, reading)
        points = pd.DataFrame({"step": logged[axis], "score": numbers(where, logged[metric])})
        points = points.assign(**{PART: logged[PART]}) if PART in logged else points
        yield from split_parts(of_metric, _from_first_number(of_metric, points, reading))


def _has_numbers(column: pd.Series) -> bool:
    """Return whether some of the cells of a column of texts are numbers, as if others were damaged."""
    return column.dtype.kind not in "fiub" and bool(pd.to_numeric(column, errors="coerce").notna().any())


def _from_first_number(curve: Curve, points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return the points from the first number on: before it, a mean of no episodes yet is logged as NaN."""
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
    """Return the rows of a metric, and those that were logged without a step at the last step before them, if the
    metric never has a step of its own.

    Parameters
    ----------
    without : rows of the metric without a step
    usable : all rows with a step
    logged : rows of the metric with a step
    """
    if len(logged):
        count = f"{len(without):,} of {counted(len(without) + len(logged), 'row')}"
        remark = f"{curve.place}: {count} of {curve.metric} have no step ({axis}) and are left out"
        reading.leave_out(curve.source, "no step", remark, rows=len(without), place=curve.place, metric=curve.metric)
        return logged
    together = pd.concat([usable, without]).sort_index(kind="stable")
    filled = together.assign(**{name: together[name].ffill() for name in (axis, PART) if name in together})
    filled = filled.loc[without.index]
    found = filled[filled[axis].notna()]
    reading.remark(
        f"{curve.place}: {curve.metric} is logged without a step ({axis}) in {counted(len(without), 'row')}; "
        "each takes the step that was logged last before it"
    )
    if lost := len(filled) - len(found):
        remark = f"{curve.place}: {counted(lost, 'row')} of {curve.metric} before the first step is left out"
        reading.leave_out(curve.source, "no step", remark, rows=lost, place=curve.place, metric=curve.metric)
    return found
