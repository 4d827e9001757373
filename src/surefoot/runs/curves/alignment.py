"""Interpolate learning curves on a common grid of steps, and find runs that end early."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, listed, nearest, shown
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_names import RUN, named_run
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, check_runs
from surefoot.runs.curves.rules import SHORT_RUNS, TOLERANCE
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.samples import GREATEST

_WHERE = "surefoot.align_curves"
_ALL = 100
"""Largest number of distinct evaluation steps that are all used as grid points."""
_FEWER = 50
"""Approximate number of grid points if there are more evaluation steps."""
_MOST = 1_000_000
"""Largest number of grid points that a caller can request."""
LONG_GAP = 0.9
"""Quantile of the gaps between a run's scores. It is used as the length of an episode, or as the interval between
evaluations.

The quantile is below 1 because the last episode, which was cut off, may have been longer than most, and because the
longest gap may be due to missing lines in the log.
"""
Numbers = TypeVar("Numbers", Floats, pd.Series)


class RunCurve(NamedTuple):
    """Learning curve of a run, sorted by step.

    names : algorithm, environment, run, and the hyperparameters that distinguish runs
    steps, scores, episodes : float64[points]
    """

    names: tuple[object, ...]
    steps: Floats
    scores: Floats
    episodes: Floats


class Group(NamedTuple):
    """Runs that are compared with each other.

    curves : complete curves of the runs that are kept
    end : common last step, set by the policy for short runs; None if each run keeps its own last step
    early : names of the runs that end before the longest, including runs that are dropped
    """

    curves: list[RunCurve]
    end: float | None
    early: frozenset[tuple[object, ...]] = frozenset()

    def steps_in_common(self) -> tuple[float, float]:
        """Return the first and the last step at which all runs have a score, counting carried-forward scores."""
        first = max(float(curve.steps[0]) for curve in self.curves)
        last = min(float(curve.steps[-1]) for curve in self.curves)
        return first, last if self.end is None else self.end


def no_steps_in_common(where: str, first: float, last: float) -> HintedError:
    """Return the error for runs without a common step because one begins after another has ended."""
    what = f"the runs have no steps in common: one begins at {first:,.0f}, but the comparison ends at {last:,.0f}"
    return HintedError(where, what, 'leave the short runs out (short_runs="drop")')


def named(curve: RunCurve) -> str:
    """Return the name of a run for messages."""
    return f"{curve.names[0]} in {curve.names[1]}, run {curve.names[2]}"


def groups_of_runs(
    where: str, curves: pd.DataFrame, short_runs: str, tolerance: float, by_environment: bool
) -> list[Group]:
    """Group runs by environment, or all together, and apply the policy for short runs.

    Raises
    ------
    HintedError
        If columns are missing, a score is not finite or so large that sums overflow, a run has the same step twice, the
        policy is unknown, or there are short runs and the policy is "error".
    """
    check_runs(where, curves, (*RUN, "step", "score"))
    if short_runs not in SHORT_RUNS:
        raise HintedError(f"{where}: short_runs", f'unknown policy "{short_runs}"', nearest(short_runs, SHORT_RUNS))
    if any(curves[name].nunique() > 1 for name in ("metric", "kind") if name in curves):
        hint = "choose one, for example with curves[curves['kind'] == 'eval']"
        raise HintedError(where, "there are scores of several kinds or metrics", hint)
    groups: dict[object, list[RunCurve]] = {}
    for curve in _curves(where, curves):
        groups.setdefault(curve.names[1] if by_environment else None, []).append(curve)
    if short_runs == "error":
        _refuse_short_runs(where, groups.values(), tolerance)
    compared = []
    for group in groups.values():
        early = frozenset(curve.names for curve in _early_curves(group, tolerance))
        kept = [curve for curve in group if short_runs != "drop" or curve.names not in early]
        compared.append(Group(kept, _end_of_group(group, short_runs, bool(early)), early))
    return compared


def _refuse_short_runs(where: str, groups: Iterable[Sequence[RunCurve]], tolerance: float) -> None:
    """Raise a HintedError if some runs end before the longest of their group."""
    short = []
    for group in groups:
        last = max(float(curve.steps[-1]) for curve in group)
        short += [f"{named(curve)}: {curve.steps[-1]:,.0f} of {last:,.0f}" for curve in _early_curves(group, tolerance)]
    if short:
        hint = (
            'short_runs="worst_score" (they get the worst score of any run in their environment), '
            "carry_forward (their last score is kept to the end), truncate_to_shortest (all are scored where the "
            "shortest ends) or drop (which favours algorithms whose bad runs end early)"
        )
        what = f"runs that end before the longest ({len(short)}): {listed(short, separator='; ')}"
        raise HintedError(where, what, hint)


def _early_curves(group: Sequence[RunCurve], tolerance: float) -> list[RunCurve]:
    """Return the curves of runs that end before the longest of the group."""
    last = np.array([curve.steps[-1] for curve in group])
    gaps = [np.diff(curve.steps) for curve in group]
    intervals = np.array([np.quantile(of_run, LONG_GAP, method="lower") if of_run.size else np.nan for of_run in gaps])
    is_short = ends_early(last, intervals, last.max(), tolerance)
    return [curve for curve, ends in zip(group, is_short, strict=True) if ends]


def _end_of_group(group: Sequence[RunCurve], short_runs: str, has_early: bool) -> float | None:
    """Return the common last step set by the policy for short runs; None if each run keeps its own last step."""
    ends = [float(curve.steps[-1]) for curve in group]
    if short_runs in ("carry_forward", "worst_score"):
        return max(ends)
    return min(ends) if short_runs == "truncate_to_shortest" and has_early else None


def _curves(where: str, curves: pd.DataFrame) -> list[RunCurve]:
    keys = [*RUN, *curves.attrs.get(HYPERPARAMETERS, ())]
    numbers = curves[["step", "score"]].astype(np.float64)
    numbers["episodes"] = curves["episodes"].astype(np.float64) if "episodes" in curves else 1.0
    invalid = ~(numbers[["step", "score"]].abs() <= GREATEST).all(axis=1).to_numpy()
    if invalid.any():
        row = curves[invalid].iloc[0]
        what = f"scores that are not finite or beyond ±{GREATEST:g} ({invalid.sum():,}), the first of {named_run(row)}"
        what += f": score {row['score']} at step {row['step']}"
        raise HintedError(where, what, "assign an explicit score, such as the worst possible, or leave these rows out")
    run = curves.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    order = np.lexsort((numbers["step"], run))
    first = np.flatnonzero(np.diff(run[order], prepend=-1))
    heads = curves.iloc[order[first]]
    names = zip(*(heads[name] for name in keys), strict=True)
    parts = (np.split(numbers[name].to_numpy()[order], first[1:]) for name in ("step", "score", "episodes"))
    run_curves = [RunCurve(*one) for one in zip(names, *parts, strict=True)]
    for curve in run_curves:
        again = np.flatnonzero(np.diff(curve.steps) == 0)
        if again.size:
            what = f"{named(curve)} has step {curve.steps[again[0]]:g} twice"
            raise HintedError(where, what, "average the episodes of a step first")
    return run_curves


def ends_early(last: Numbers, interval: Numbers, longest: Any, tolerance: float) -> Any:
    """Return True for runs that end before the longest.

    A run does not end early if it is shorter by at most the tolerance (a fraction of the longest), or by less than an
    episode or an interval between evaluations. In the latter case, training may have continued to the end, because an
    episode is logged only when it is over, and a policy is evaluated only after complete rollouts.

    Parameters
    ----------
    last, longest : last logged steps of the runs, and the last step of the longest run of the environment
    interval : a long interval between scores of each run (the `LONG_GAP` quantile); NaN for a single score
    """
    lacking = longest - last
    return (lacking > longest * tolerance) & ~(lacking < interval)


def cut(curve: RunCurve, end: float, tolerance: float) -> RunCurve:
    """Return the curve up to a step; the result may be empty.

    If no point lies within the tolerance (a fraction of the step) before `end`, the first point within the tolerance
    after `end` is kept and treated as if it were at `end`.
    """
    size = int(np.searchsorted(curve.steps, end, side="right"))
    lacks = size == 0 or curve.steps[size - 1] < end * (1.0 - tolerance)
    if lacks and size < curve.steps.size and curve.steps[size] <= end * (1.0 + tolerance):
        size += 1
    return curve._replace(steps=curve.steps[:size], scores=curve.scores[:size], episodes=curve.episodes[:size])


@types_checked
def align_curves(
    curves: pd.DataFrame,
    steps: int | Sequence[float] | None = None,
    *,
    between: Literal["carry_forward", "linear"] = "carry_forward",
    short_runs: str = "error",
    tolerance: float = TOLERANCE,
) -> pd.DataFrame:
    """Interpolate learning curves on a common grid of steps, as questions about curves require.

    Parameters
    ----------
    curves : DataFrame
        As returned by `surefoot.read_runs`: one row per run and step, with the columns algorithm, environment, run,
        step (environment steps) and score; with a single kind and metric.
    steps : int or list of float, optional
        Number of equally spaced grid points, from the first step at which all runs have a score to the end; or the
        points themselves. Default: the evaluation steps of the runs, starting where all runs have a score; about 50 of
        them if there are more than 100.
    between : {"carry_forward", "linear"}, default "carry_forward"
        Value of a curve between two evaluations: "carry_forward" (the score of the earlier one) or "linear".
    short_runs : str, default "error"
        Policy for runs that end before the longest: "error", "worst_score" (after their end they get the worst score of
        any run in their environment at each step), "drop", "carry_forward" (they keep their last score to the end) or
        "truncate_to_shortest".
    tolerance : float, default 0.05
        Fraction of the steps by which a run may be shorter without counting as short. A run may always be shorter by
        less than an episode, or its own interval between evaluations. Its last score is carried forward to the end.

    Returns
    -------
    DataFrame
        A table with the columns algorithm, environment, run, step and score, one row per run and grid point, and kind,
        metric and hyperparameters if the curves have them.

    Raises
    ------
    HintedError
        If there are short runs and the policy is "error", a run has no score at a grid point, or the runs have no steps
        in common.

    Notes
    -----
    Source: definitions; equal to `numpy.searchsorted` and `numpy.interp`.

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import align_curves
    >>> rows = [("ppo", "maze", run, step, run + step / 100) for run in (0, 1) for step in (100, 200, 300)]
    >>> curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    >>> align_curves(curves, [150, 300])
      algorithm environment  run   step  score
    0       ppo        maze    0  150.0    1.0
    1       ppo        maze    0  300.0    3.0
    2       ppo        maze    1  150.0    2.0
    3       ppo        maze    1  300.0    4.0
    """
    tables = []
    for group in groups_of_runs(_WHERE, curves, short_runs, tolerance, by_environment=False):
        distinguishing = [*RUN, *curves.attrs.get(HYPERPARAMETERS, ())]
        grid = _grid(steps, group)
        for curve in group.curves:
            scores = np.interp(grid, curve.steps, curve.scores) if between == "linear" else value_at(curve, grid)
            names = dict(zip(distinguishing, curve.names, strict=True))
            ended = (grid > curve.steps[-1]) & (curve.names in group.early)
            tables.append(pd.DataFrame({**names, "step": grid, "score": scores, "ended": ended}))
    aligned = pd.concat(tables, ignore_index=True).assign(**kind_and_metric(curves))
    ended = aligned.pop("ended")
    if short_runs == "worst_score":
        worst = aligned.groupby(["environment", "step"], observed=True)["score"].transform("min")
        aligned["score"] = aligned["score"].mask(ended, worst)
    aligned.attrs = {name: value for name, value in curves.attrs.items() if name == HYPERPARAMETERS}
    return aligned


def kind_and_metric(curves: pd.DataFrame) -> dict[str, object]:
    """Return {"kind": ..., "metric": ...} for curves of a single kind and metric, omitting missing columns."""
    return {name: curves[name].iloc[0] for name in curves.columns.intersection(["kind", "metric"], sort=False)}


def value_at(curve: RunCurve, grid: Floats) -> Floats:
    """Return float64[points], the score of the latest evaluation at or before each grid step.

    The curve must begin at or before the first grid step.
    """
    return curve.scores[np.searchsorted(curve.steps, grid, side="right") - 1]


def first_reached(curve: RunCurve, score: float) -> tuple[float, bool]:
    """Return (first step with at least this score, True), or (last step, False) if the score is never reached."""
    reached = np.flatnonzero(curve.scores >= score)
    return (float(curve.steps[reached[0]]), True) if reached.size else (float(curve.steps[-1]), False)


def thinned(size: int, points: int) -> Integers:
    """Return at most `points` roughly equally spaced indices below `size`, including the first and the last."""
    return np.unique(np.linspace(0, size - 1, min(points, size)).round().astype(np.int64))


def evaluated_steps(curves: Sequence[RunCurve], first: float, last: float) -> Floats:
    """Return evaluation steps between the first and last step, at most as many as the run with the most evaluations.

    Tools evaluate after complete rollouts, so evaluation steps differ slightly between the runs of a study.
    """
    steps = np.unique(np.concatenate([curve.steps for curve in curves]))
    within = np.asarray(steps[(first <= steps) & (steps <= last)], np.float64)
    return within[thinned(within.size, max(curve.steps.size for curve in curves))]


def _grid(steps: int | Sequence[float] | None, group: Group) -> Floats:
    first, last = group.steps_in_common()
    if group.end is None:  # no run is short
        last = max(float(curve.steps[-1]) for curve in group.curves)
    if steps is None or isinstance(steps, int | np.integer):
        if steps is not None and not 2 <= steps <= _MOST:
            what = f"cannot use a grid of {shown(steps)} points"
            raise HintedError(f"{_WHERE}: steps", what, f"use 2 to {_MOST:,} points")
        if last <= first:
            raise no_steps_in_common(_WHERE, first, last)
        if steps is not None:
            return np.linspace(first, last, int(steps))
        # Curves are unknown between evaluations: finer grid points would only add artificial stairs.
        evaluated = evaluated_steps(group.curves, first, last)
        return evaluated if len(evaluated) <= _ALL else evaluated[thinned(len(evaluated), _FEWER)]
    grid = np.asarray(steps, np.float64)
    if grid.ndim != 1 or grid.size == 0 or (np.diff(grid) <= 0).any():
        raise HintedError(f"{_WHERE}: steps", "the steps of the grid do not ascend", "sort them")
    outside = grid[(grid < first) | (grid > last)]
    if outside.size:
        what = f"not every run has a score at step {outside[0]:,.0f}"
        raise HintedError(f"{_WHERE}: steps", what, f"use steps from {first:,.0f} to {last:,.0f}")
    return grid
