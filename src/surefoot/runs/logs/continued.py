"""Logs whose steps restart, and trainings that continue in another folder, such as ``PPO_2`` where ``PPO_1`` ends."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, conjugated, counted
from surefoot.runs.logs.account import USED, WITH_OTHERS, Entry
from surefoot.runs.logs.logged_curves import Curve, Floats, Reading

CONTINUED = (
    "use --continued join to accumulate the steps if one training continued, or --continued separate if each part is a "
    "run"
)
PART = "\0part"
"""Column with the part of a log to which a row belongs, if its steps restart."""
_NUMBERED = re.compile(r"(?P<name>.*?)[_-]?(?P<number>\d+)")


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


def split_parts(curve: Curve, points: pd.DataFrame) -> Iterator[Curve]:
    """Yield the curve with the points, or one curve per part if parts are separate runs."""
    if PART not in points:
        yield curve._replace(points=points)
        return
    for part, rows in points.groupby(PART, sort=False):
        yield curve._replace(points=rows.drop(columns=PART), part=int(str(part)))


def joined_runs(curves: Sequence[Curve], reading: Reading) -> list[Curve]:
    """Join curves that continue each other, or mark them as separate parts, as the user requests.

    Curves in numbered folders continue each other if each begins after the last step of the previous one. Runs with
    different seeds, in contrast, all begin at the first steps.

    Raises
    ------
    InputError
        if curves continue each other and `Reading.continued` is None; or if it is set, but no curves continue each
        other and no log has steps that restart
    """
    groups: dict[tuple[str, str, str], list[tuple[int, Curve]]] = {}
    for curve in curves:
        match = _NUMBERED.fullmatch(curve.place)
        if match and "step" in curve.points and "run" not in curve.points:
            groups.setdefault((match["name"], curve.kind, curve.metric), []).append((int(match["number"]), curve))
    joined = list(curves)
    for group in groups.values():
        ordered = [curve for _, curve in sorted(group, key=lambda numbered: numbered[0])]
        for chain in _chains(ordered):
            joined = _settled(chain, joined, reading)
    if reading.continued is not None and not reading.has_continued:
        what = "no log has steps that restart, and no log begins where another one ends"
        raise InputError("continued", what, "leave --continued out")
    return joined


def _chains(curves: Sequence[Curve]) -> list[list[Curve]]:
    """Return chains of at least two curves that continue each other, in order."""
    chains: list[list[Curve]] = []
    for before, after in pairwise(curves):
        steps = before.points["step"]
        if len(steps) > 1 and after.points["step"].min() > steps.max() > steps.min():
            if chains and chains[-1][-1] is before:
                chains[-1].append(after)
            else:
                chains.append([before, after])
    return chains


def _settled(chain: Sequence[Curve], curves: Sequence[Curve], reading: Reading) -> list[Curve]:
    """Return all curves, with the curves of the chain joined or marked as parts."""
    first, second = chain[:2]
    ends = first.points["step"].max()
    begins = second.points["step"].min()
    observation = f"it begins at step {begins:,.0f}, after {first.place} ends at step {ends:,.0f}"
    where = reading.below(second.source)
    if not joins_parts(where, second.place, observation, len(chain), reading):
        changed = {id(curve): [curve._replace(part=number)] for number, curve in enumerate(chain, 1)}
    else:
        points = pd.concat([curve.points for curve in chain], ignore_index=True)
        reading.entries += [
            Entry(reading.below(curve.source), USED, WITH_OTHERS, first.place, kind=curve.kind)
            for curve in chain[1:]
            if curve.source != first.source
        ]
        changed = {id(curve): [] for curve in chain} | {id(first): [first._replace(points=points)]}
    return [new for curve in curves for new in changed.get(id(curve), [curve])]
