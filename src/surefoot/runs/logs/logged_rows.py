"""Logs with one row per logging event: their steps, restarts, and NaN."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, conjugated, counted
from surefoot.runs.columns.numbers import numbers
from surefoot.runs.logs.curves import Curve, Floats, Reading
from surefoot.runs.logs.metrics import chosen_metrics, returns_among, steps_among
from surefoot.runs.logs.score_cells import score_numbers

CONTINUED = (
    "use --continued join to accumulate the steps if one training continued, or --continued separate if each part is a "
    "run"
)
PART = "\0part"
"""Column with the part of a log to which a row belongs, if its steps restart."""
WALL_TIME = "wall_time"
"""Value of `Reading.step` for seconds since the beginning of a run."""
NOTHING_UNDEFINED = pd.DataFrame()


def kept_after_restarts(steps: Floats) -> npt.NDArray[np.bool_]:
    """Return a mask of the points that no later point overwrites, bool[points].

    A run that is restarted from an earlier state logs the same steps again, so its steps go back. Later points
    overwrite earlier points: an earlier point is kept only if its step is below all later steps. Consecutive equal
    steps are not a restart.
    """
    restarts = np.full(steps.size + 1, np.inf)
    first = np.flatnonzero(np.diff(steps) < 0) + 1
    restarts[first] = steps[first]
    least_later: Floats = np.minimum.accumulate(restarts[::-1])[::-1][1:]
    return np.asarray(steps < least_later)


def parts_of_log(steps: Floats) -> npt.NDArray[np.int64]:
    """Return the part number of each row.

    A new part begins where steps go back to the first step of the log or before it. This does not show whether the
    training continued.
    """
    parts = np.zeros(steps.size, np.int64)
    if steps.size > 1:
        parts[1:] = np.cumsum((np.diff(steps) < 0) & (steps[1:] <= steps[0]))
    return parts


def joins_parts(where: str, place: str, observation: str, parts: int, reading: Reading) -> bool:
    """Return True if the parts of a log that seems to continue are one training, False if they are separate runs.

    Parameters
    ----------
    where, place : location for the error, and for the remark
    observation : clause that says how the steps restart
    parts : number of parts

    Raises
    ------
    InputError
        if `Reading.continued` is None
    """
    if reading.continued is None:
        what = f"{observation}: either one training continued, or there are separate runs"
        raise InputError(where, what, CONTINUED)
    reading.has_continued = True
    joins = reading.continued == "join"
    read_as = "one training" if joins else "separate runs"
    reading.remark(f"{place}: {observation}; the {parts} parts are read as {read_as}")
    return joins


def counted_on(rows: pd.DataFrame, axis: str, path: Path, shown: str, reading: Reading) -> pd.DataFrame:
    """Accumulate steps across restarts of the counter, or add a column with the part of each row.

    Raises
    ------
    InputError
        if steps restart and the user does not specify how to treat them
    """
    steps = rows[axis].to_numpy(np.float64)
    parts = parts_of_log(steps)
    if not parts.any():
        return rows
    row = int(np.flatnonzero(parts)[0])
    observation = f"steps begin again, from {steps[row - 1]:,.0f} to {steps[row]:,.0f} in row {row + 1:,}"
    if not joins_parts(str(path), shown, observation, int(parts[-1]) + 1, reading):
        return rows.assign(**{PART: parts + 1})
    lasts = pd.Series(steps).groupby(parts).last()
    before = lasts.cumsum().shift(fill_value=0.0)
    return rows.assign(**{axis: steps + before.to_numpy()[parts]})


def without_restarts(rows: pd.DataFrame, axis: str, path: Path, shown: str, reading: Reading) -> pd.DataFrame:
    """Return the rows that no later row overwrites (see `kept_after_restarts`); record the other rows as left out.

    Steps that restart are first accumulated, or marked in a column with the parts; see `split_parts`.
    """
    rows = counted_on(rows, axis, path, shown, reading)
    steps = rows[axis].to_numpy(np.float64)
    parts = rows[PART].to_numpy() if PART in rows else np.zeros(steps.size)
    if not (np.diff(steps) < 0).any():
        return rows
    kept = np.concatenate([kept_after_restarts(steps[parts == part]) for part in np.unique(parts)] or [steps > 0])
    if overwritten := int((~kept).sum()):
        reading.remark(
            f"{shown}: its steps go back, as after a restart; {counted(overwritten, 'row')} written before the "
            f"restart, at or after its step, {conjugated('are', overwritten)} left out"
        )
        reading.leave_out(path, "before a restart", rows=overwritten, place=shown)
    return rows[kept]


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


def split_parts(curve: Curve, points: pd.DataFrame) -> Iterator[Curve]:
    """Yield the curve with the points, or one curve per part if parts are separate runs."""
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
