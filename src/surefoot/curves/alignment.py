"""Runs of unequal length and steps: which are short, what becomes of them, and their curves on a common grid."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from surefoot.build.errors import nearest
from surefoot.columns import HYPERPARAMETERS, RUN, check_runs, named_run, types_checked
from surefoot.curves.rules import SHORT_RUNS, TOLERANCE
from surefoot.errors import HintedError, listed, shown
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.samples import GREATEST

_WHERE = "surefoot.aligned_curves"
_ALL, _FEWER = 100, 50
"""This many steps of evaluations are all the grid; of more, about this many of them."""
_MOST = 1_000_000
"""Points of a grid that a caller asks for."""
LONG_GAP = 0.9
"""Quantile of the gaps between the scores of a run that counts as an episode, or as the interval between evaluations.
Episodes differ in length, and the last one, which was cut off, may have been a long one; the longest gap of all may be
lines that are missing in the log."""
Numbers = TypeVar("Numbers", Floats, pd.Series)


class RunCurve(NamedTuple):
    """The curve of a run, in ascending steps.

    names : algorithm, environment, run, and the hyperparameters that tell runs apart
    steps, scores, episodes : float64[points]
    """

    names: tuple[object, ...]
    steps: Floats
    scores: Floats
    episodes: Floats


class Group(NamedTuple):
    """Runs that are compared.

    curves : of all that stay, whole
    end : the step at which all are scored by the policy of short runs; None where each is at its own last one
    early : names of the runs that end before the longest, whether they stay or not
    """

    curves: list[RunCurve]
    end: float | None
    early: frozenset[tuple[object, ...]] = frozenset()

    def steps_in_common(self) -> tuple[float, float]:
        """(first, last) step of the range in which all runs have a score; carried forward, they have one to the end."""
        first = max(float(curve.steps[0]) for curve in self.curves)
        last = min(float(curve.steps[-1]) for curve in self.curves)
        return first, last if self.end is None else self.end


def no_steps_in_common(where: str, first: float, last: float) -> HintedError:
    """The error of runs of which one begins where another has ended."""
    what = f"the runs have no steps in common: one begins at {first:,.0f}, and they end at {last:,.0f}"
    return HintedError(where, what, 'leave the short runs out (short_runs="drop")')


def named(curve: RunCurve) -> str:
    """A run as messages name it."""
    return f"{curve.names[0]} in {curve.names[1]}, run {curve.names[2]}"


def groups_of_runs(
    where: str, curves: pd.DataFrame, short_runs: str, tolerance: float, by_environment: bool
) -> list[Group]:
    """The runs of each environment, or of all together, after what becomes of short ones.

    Raises
    ------
    HintedError
        where columns are missing, a score is not finite or so great that sums overflow, a run has a step twice, the
        policy is unknown, or there are short runs and no policy
    """
    check_runs(where, curves, (*RUN, "step", "score"))
    if short_runs not in SHORT_RUNS:
        raise HintedError(f"{where}: short_runs", f'"{short_runs}" is not known', nearest(short_runs, SHORT_RUNS))
    if any(curves[name].nunique() > 1 for name in ("metric", "kind") if name in curves):
        hint = "choose one, such as curves[curves['kind'] == 'eval']"
        raise HintedError(where, "scores of several kinds or metrics", hint)
    groups: dict[object, list[RunCurve]] = {}
    for curve in _curves(where, curves):
        groups.setdefault(curve.names[1] if by_environment else None, []).append(curve)
    compared, short = [], []
    for group in groups.values():
        last = np.array([curve.steps[-1] for curve in group])
        gaps = [np.diff(curve.steps) for curve in group]
        intervals = np.array(
            [np.quantile(of_run, LONG_GAP, method="lower") if of_run.size else np.nan for of_run in gaps]
        )
        is_short = ends_early(last, intervals, last.max(), tolerance)
        early = [curve for curve, ends in zip(group, is_short, strict=True) if ends]
        short += [f"{named(curve)}: {curve.steps[-1]:,.0f} of {last.max():,.0f}" for curve in early]
        kept = [curve for curve, ends in zip(group, is_short, strict=True) if short_runs != "drop" or not ends]
        end = None
        if short_runs in ("carry_forward", "worst_score"):
            end = float(last.max())
        elif short_runs == "truncate_to_shortest" and early:
            end = float(last.min())
        compared.append(Group(kept, end, frozenset(curve.names for curve in early)))
    if short and short_runs == "error":
        hint = (
            'short_runs="worst_score" (they get the worst score of any run in their environment), '
            "carry_forward (their last score stands to the end), truncate_to_shortest (all are scored where the "
            "shortest ends) or drop (which favours algorithms whose bad runs end early)"
        )
        what = f"runs that end before the longest ({len(short)}): {listed(short, separator='; ')}"
        raise HintedError(where, what, hint)
    return compared


def _curves(where: str, curves: pd.DataFrame) -> list[RunCurve]:
    keys = [*RUN, *curves.attrs.get(HYPERPARAMETERS, ())]
    numbers = curves[["step", "score"]].astype(np.float64)
    numbers["episodes"] = curves["episodes"].astype(np.float64) if "episodes" in curves else 1.0
    invalid = ~(numbers[["step", "score"]].abs() <= GREATEST).all(axis=1).to_numpy()
    if invalid.any():
        row = curves[invalid].iloc[0]
        what = f"scores that are not finite or beyond ±{GREATEST:g} ({invalid.sum():,}), the first of {named_run(row)}"
        what += f": score {row['score']} at step {row['step']}"
        raise HintedError(where, what, "give them the score that they deserve, or leave these rows out")
    run = curves.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    order = np.lexsort((numbers["step"], run))
    first = np.flatnonzero(np.diff(run[order], prepend=-1))
    heads = curves.iloc[order[first]]
    names = zip(*(heads[name] for name in keys), strict=True)
    parts = (np.split(numbers[name].to_numpy()[order], first[1:]) for name in ("step", "score", "episodes"))
    found = [RunCurve(*one) for one in zip(names, *parts, strict=True)]
    for curve in found:
        again = np.flatnonzero(np.diff(curve.steps) == 0)
        if again.size:
            what = f"{named(curve)} has step {curve.steps[again[0]]:g} twice"
            raise HintedError(where, what, "average the episodes of a step first")
    return found


def ends_early(last: Numbers, interval: Numbers, longest: Any, tolerance: float) -> Any:
    """Return whether runs end before the longest.

    A run that lacks no more than the tolerance (a fraction of the longest) does not end early. Neither does one that
    lacks less than an episode or an interval between evaluations: its training may have gone on to the end, since an
    episode is logged only when it is over, and a policy is evaluated only after whole rollouts.

    Parameters
    ----------
    last, longest : last logged steps of the runs, and of the longest run of the environment
    interval : a long interval between scores of each run (the `LONG_GAP` quantile); NaN of a single score
    """
    lacking = longest - last
    return (lacking > longest * tolerance) & ~(lacking < interval)


def cut(curve: RunCurve, end: float, tolerance: float) -> RunCurve:
    """The curve up to a step, which may leave nothing of it. A run without a point just before the step, within the
    tolerance (a fraction of it), keeps its first one just after it, which counts as if it were at the step."""
    size = int(np.searchsorted(curve.steps, end, side="right"))
    lacks = size == 0 or curve.steps[size - 1] < end * (1.0 - tolerance)
    if lacks and size < curve.steps.size and curve.steps[size] <= end * (1.0 + tolerance):
        size += 1
    return curve._replace(steps=curve.steps[:size], scores=curve.scores[:size], episodes=curve.episodes[:size])


@types_checked
def aligned_curves(
    curves: pd.DataFrame,
    steps: int | Sequence[float] | None = None,
    *,
    between: Literal["carry_forward", "linear"] = "carry_forward",
    short_runs: str = "error",
    tolerance: float = TOLERANCE,
) -> pd.DataFrame:
    """Learning curves on a common grid of steps, as questions about curves need them.

    Parameters
    ----------
    curves : as `surefoot.read_runs` returns them: one row per run and step, with the columns algorithm, environment,
        run, step (environment steps), score; of one kind and metric
    steps : number of equally spaced points of the grid, from where all runs have a score to the end; or the points. By
        default the steps at which runs were evaluated, from where all have a score; of more than 100 about 50
    between : what a curve is between two evaluations: "carry_forward", the score of the earlier one, or "linear"
    short_runs : what happens to runs that end before the longest: "error", "worst_score" (after their end they have the
        worst score of any run in their environment at each step), "drop", "carry_forward" (they keep their last score
        to the end) or "truncate_to_shortest"
    tolerance : fraction of the steps that a run may lack without counting as short; a run may always lack less than
        an episode, or its own interval between evaluations. Its last score stands to the end

    Returns
    -------
    a table with the columns algorithm, environment, run, step, score, one row per run and point of the grid, and kind,
    metric and hyperparameters if the curves have them

    Raises
    ------
    HintedError : short runs, points of a grid at which a run has no score, no steps in common

    Source: definitions; both are what `numpy.searchsorted` and `numpy.interp` give.
    """
    tables = []
    for group in groups_of_runs(_WHERE, curves, short_runs, tolerance, by_environment=False):
        told_apart = [*RUN, *curves.attrs.get(HYPERPARAMETERS, ())]
        grid = _grid(steps, group)
        for curve in group.curves:
            scores = np.interp(grid, curve.steps, curve.scores) if between == "linear" else value_at(curve, grid)
            names = dict(zip(told_apart, curve.names, strict=True))
            ended = (grid > curve.steps[-1]) & (curve.names in group.early)
            tables.append(pd.DataFrame({**names, "step": grid, "score": scores, "ended": ended}))
    aligned = pd.concat(tables, ignore_index=True).assign(**kind_and_metric(curves))
    ended = aligned.pop("ended")
    if short_runs == "worst_score":
        worst = aligned.groupby(["environment", "step"], observed=True)["score"].transform("min")
        aligned["score"] = aligned["score"].mask(ended, worst)
    aligned.attrs = {name: told for name, told in curves.attrs.items() if name == HYPERPARAMETERS}
    return aligned


def kind_and_metric(curves: pd.DataFrame) -> dict[str, object]:
    """The one kind and the one metric of the scores of curves, by the names of their columns, as far as these are
    there."""
    return {name: curves[name].iloc[0] for name in curves.columns.intersection(["kind", "metric"], sort=False)}


def value_at(curve: RunCurve, grid: Floats) -> Floats:
    """float64[points] of the curve at steps that are not before its first: the score of the latest evaluation."""
    return curve.scores[np.searchsorted(curve.steps, grid, side="right") - 1]


def first_reached(curve: RunCurve, score: float) -> tuple[float, bool]:
    """(first step whose score is at least this one, True), or (the last step, False) where there is none."""
    reached = np.flatnonzero(curve.scores >= score)
    return (float(curve.steps[reached[0]]), True) if reached.size else (float(curve.steps[-1]), False)


def thinned(size: int, points: int) -> Integers:
    """Places of at most this many of some points, the first and the last among them, at about equal distances."""
    return np.unique(np.linspace(0, size - 1, min(points, size)).round().astype(np.int64))


def evaluated_steps(curves: Sequence[RunCurve], first: float, last: float) -> Floats:
    """Steps from the first to the last at which at least one run was evaluated, no more than a run has: tools evaluate
    after whole rollouts, so that the runs of one training are evaluated at steps that differ a little."""
    steps = np.unique(np.concatenate([curve.steps for curve in curves]))
    within = np.asarray(steps[(first <= steps) & (steps <= last)], np.float64)
    return within[thinned(within.size, max(curve.steps.size for curve in curves))]


def _grid(steps: int | Sequence[float] | None, group: Group) -> Floats:
    first, last = group.steps_in_common()
    if group.end is None:  # no run is short
        last = max(float(curve.steps[-1]) for curve in group.curves)
    if steps is None or isinstance(steps, int | np.integer):
        if steps is not None and not 2 <= steps <= _MOST:
            raise HintedError(f"{_WHERE}: steps", f"a grid of {shown(steps)} points", f"at least 2, at most {_MOST:,}")
        if last <= first:
            raise no_steps_in_common(_WHERE, first, last)
        if steps is not None:
            return np.linspace(first, last, int(steps))
        # Between two evaluations nothing was measured: there, a grid would make steps of curves, and name one.
        evaluated = evaluated_steps(group.curves, first, last)
        return evaluated if len(evaluated) <= _ALL else evaluated[thinned(len(evaluated), _FEWER)]
    grid = np.asarray(steps, np.float64)
    if grid.ndim != 1 or grid.size == 0 or (np.diff(grid) <= 0).any():
        raise HintedError(f"{_WHERE}: steps", "the grid does not ascend", "ascending steps")
    outside = grid[(grid < first) | (grid > last)]
    if outside.size:
        what = f"at step {outside[0]:,.0f} not every run has a score"
        raise HintedError(f"{_WHERE}: steps", what, f"from {first:,.0f} to {last:,.0f}")
    return grid
