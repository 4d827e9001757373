"""Learning curves on a common grid of steps."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.arguments import types_checked
from surefoot.build.errors import nearest
from surefoot.columns import RUN
from surefoot.curves.lengths import Group, RunCurve, groups_of_runs
from surefoot.curves.rules import BETWEEN, TOLERANCE
from surefoot.curves.scores import steps_in_common
from surefoot.errors import HintedError, shown
from surefoot.statistics.arrays import Floats, Integers

_WHERE = "surefoot.aligned_curves"
_ALL, _FEWER = 100, 50
"""This many steps of evaluations are all the grid; of more, about this many of them."""
_MOST = 1_000_000
"""Points of a grid that a caller asks for."""


@types_checked
def aligned_curves(
    curves: pd.DataFrame,
    steps: int | Sequence[float] | None = None,
    *,
    between: str = "carry_forward",
    short_runs: str = "error",
    tolerance: float = TOLERANCE,
    by_environment: bool = False,
) -> pd.DataFrame:
    """Learning curves on a common grid of steps, as questions about curves need them.

    Parameters
    ----------
    curves : as `surefoot.read_runs` returns them: one row per run and step, with the columns algorithm, environment,
        run, step (environment steps), score; of one kind and metric
    steps : number of equally spaced points of the grid, from where all runs have a score to the end; or the points. By
        default the steps at which runs were evaluated, from where all have a score; of more than 100 about 50
    between : what a curve is between two evaluations: "carry_forward", the score of the earlier one, or "linear"
    short_runs : what happens to runs that end before the longest: "error", "drop", "carry_forward" (they keep their
        last score to the end) or "truncate_to_shortest"
    tolerance : fraction of the steps that a run may lack without counting as short; a run may always lack less than
        half of its own interval between evaluations. Its last score stands to the end
    by_environment : whether each environment has its own grid, instead of one for all

    Returns
    -------
    a table with the columns algorithm, environment, run, step, score, one row per run and point of the grid, and kind
    and metric if the curves have them

    Raises
    ------
    HintedError : short runs, points of a grid at which a run has no score, no steps in common

    Source: definitions; both are what `numpy.searchsorted` and `numpy.interp` give.
    """
    if between not in BETWEEN:
        raise HintedError(f"{_WHERE}: between", f'"{between}" is not known', nearest(between, BETWEEN))
    tables = []
    for group in groups_of_runs(_WHERE, curves, short_runs, tolerance, by_environment):
        grid = _grid(steps, group)
        for curve in group.curves:
            scores = value_at(curve, grid, between)
            columns = {**dict(zip(RUN, curve.names, strict=True)), "step": grid, "score": scores, **curve.rest}
            tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def value_at(curve: RunCurve, grid: Floats, between: str) -> Floats:
    """float64[points] of the curve at steps that are not before its first; after its last they are the last score."""
    if between == "linear":
        return np.interp(grid, curve.steps, curve.scores)
    return curve.scores[np.searchsorted(curve.steps, grid, side="right") - 1]


def thinned(size: int, points: int) -> Integers:
    """Places of at most this many of some points, the first and the last among them, at about equal distances."""
    return np.unique(np.linspace(0, size - 1, min(points, size)).round().astype(np.int64))


def evaluated_steps(curves: Sequence[RunCurve], first: float, last: float) -> Floats:
    """Steps from the first to the last at which at least one run was evaluated, no more than a run has: tools evaluate
    after whole rollouts, so that the runs of one training are evaluated at steps that differ a little."""
    steps = np.unique(np.concatenate([curve.steps for curve in curves]))
    within = np.asarray(steps[(first <= steps) & (steps <= last)], np.float64)
    return within[thinned(within.size, max(curve.steps.size for curve in curves))]


def _grid(steps: int | Sequence[float] | npt.NDArray[np.float64] | None, group: Group) -> Floats:
    first, last = steps_in_common(group)
    if group.end is None:  # no run is short
        last = max(float(curve.steps[-1]) for curve in group.curves)
    if isinstance(steps, int | np.integer) and not 2 <= steps <= _MOST:
        raise HintedError(f"{_WHERE}: steps", f"a grid of {shown(steps)} points", f"at least 2, at most {_MOST:,}")
    if steps is None or isinstance(steps, int | np.integer):
        if last <= first:
            what = f"the runs have no steps in common: one begins at {first:,.0f}, and they end at {last:,.0f}"
            raise HintedError(_WHERE, what, 'leave the short runs out (short_runs="drop")')
        if steps is not None:
            return np.linspace(first, last, int(steps))
        # Between two evaluations nothing was measured: there, a grid would make steps of curves, and name one.
        evaluated = evaluated_steps(group.curves, first, last)
        return evaluated if len(evaluated) <= _ALL else evaluated[thinned(len(evaluated), _FEWER)]
    grid = np.asarray(steps, np.float64)
    outside = grid[(grid < first) | (grid > last)]
    if grid.ndim != 1 or grid.size == 0 or (np.diff(grid) <= 0).any():
        raise HintedError(f"{_WHERE}: steps", "the grid does not ascend", "ascending steps")
    if outside.size:
        what = f"at step {outside[0]:,.0f} not every run has a score"
        raise HintedError(f"{_WHERE}: steps", what, f"from {first:,.0f} to {last:,.0f}")
    return grid
