"""Runs of unequal length: which are short, and what becomes of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from surefoot.build.errors import nearest
from surefoot.columns import HYPERPARAMETERS, RUN, check_runs
from surefoot.curves.rules import SHORT_RUNS
from surefoot.errors import HintedError, listed
from surefoot.statistics.arrays import Floats

_LISTED = 5
Numbers = TypeVar("Numbers", Floats, pd.Series)


class RunCurve(NamedTuple):
    """The curve of a run, in ascending steps.

    names : algorithm, environment, run, and the hyperparameters that tell runs apart
    steps, scores, episodes : float64[points]
    rest : columns that are one for the run
    """

    names: tuple[object, ...]
    steps: Floats
    scores: Floats
    episodes: Floats
    rest: Mapping[str, object]


class Group(NamedTuple):
    """Runs that are compared.

    curves : of all that stay, whole
    end : the step at which all are scored by the policy of short runs; None where each is at its own last one
    """

    curves: list[RunCurve]
    end: float | None


def groups_of_runs(
    where: str, curves: pd.DataFrame, short_runs: str, tolerance: float, by_environment: bool
) -> list[Group]:
    """The runs of each environment, or of all together, after what becomes of short ones.

    Raises
    ------
    HintedError
        where columns are missing, a score is not finite, a run has a step twice, the policy is unknown, or there are
        short runs and no policy
    """
    check_runs(where, curves, (*RUN, "step", "score"))
    if short_runs not in SHORT_RUNS:
        raise HintedError(f"{where}: short_runs", f'"{short_runs}" is not known', nearest(short_runs, SHORT_RUNS))
    if any(curves[name].nunique() > 1 for name in ("metric", "kind") if name in curves):
        hint = "choose one, such as curves[curves['kind'] == 'eval']"
        raise HintedError(where, "scores of several kinds or metrics", hint)
    found = _curves(where, curves)
    names = dict.fromkeys(curve.names[1] for curve in found) if by_environment else [None]
    groups = [[curve for curve in found if name is None or curve.names[1] == name] for name in names]
    found_groups, short = [], []
    for group in groups:
        longest = max(float(curve.steps[-1]) for curve in group)
        early = runs_ending_early(group, tolerance)
        short += [
            f"{curve.names[0]} in {curve.names[1]}, run {curve.names[2]}: {curve.steps[-1]:,.0f} of {longest:,.0f}"
            for curve in group
            if curve.names in early
        ]
        kept = [curve for curve in group if short_runs != "drop" or curve.names not in early]
        ends = {"carry_forward": longest}
        if early:
            ends["truncate_to_shortest"] = min(float(curve.steps[-1]) for curve in group)
        found_groups.append(Group(kept, ends.get(short_runs)))
    if short and short_runs == "error":
        hint = (
            'short_runs="carry_forward" (their last score stands to the end), truncate_to_shortest (all are scored '
            "where the shortest ends) or drop (which favours algorithms whose bad runs crash)"
        )
        what = f"runs that end before the longest ({len(short)}): {listed(short, _LISTED, '; ')}"
        raise HintedError(where, what, hint)
    return found_groups


def _curves(where: str, curves: pd.DataFrame) -> list[RunCurve]:
    keys = [*RUN, *curves.attrs.get(HYPERPARAMETERS, ())]
    run = curves.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    order = np.lexsort((curves["step"].to_numpy(np.float64), run))
    first = np.flatnonzero(np.diff(run[order], prepend=-1))
    steps, scores = (curves[name].to_numpy(np.float64)[order] for name in ("step", "score"))
    episodes = curves["episodes"].to_numpy(np.float64)[order] if "episodes" in curves.columns else np.ones(steps.size)
    invalid = np.flatnonzero(~(np.isfinite(steps) & np.isfinite(scores)))
    if invalid.size:
        row = curves.iloc[order[invalid[0]]]
        what = (
            f"scores that are not finite ({invalid.size:,}), the first of {row['algorithm']} in {row['environment']}, "
            f"run {row['run']}: score {row['score']} at step {row['step']}"
        )
        raise HintedError(where, what, "give them the score that they deserve, or leave these rows out")
    heads = curves.iloc[order[first]]
    names = list(zip(*(heads[name] for name in keys), strict=True))
    single = [name for name in ("kind", "metric") if name in curves.columns]
    rest = heads[single].to_dict("records") if single else [{} for _ in names]
    parts = (np.split(values, first[1:]) for values in (steps, scores, episodes))
    found = [RunCurve(*one) for one in zip(names, *parts, rest, strict=True)]
    for curve in found:
        again = np.flatnonzero(np.diff(curve.steps) == 0)
        if again.size:
            what = (
                f"{curve.names[0]} in {curve.names[1]}: run {curve.names[2]} has step {curve.steps[again[0]]:g} twice"
            )
            raise HintedError(where, what, "average the episodes of a step first")
    return found


def ends_early(last: Numbers, interval: Numbers, longest: Any, tolerance: float) -> Any:
    """Whether runs end before the longest, from their last steps and their intervals between evaluations (NaN of one).

    A run does not if it lacks no more than the tolerance (a fraction of the longest), nor if it lacks less than half of
    its interval: tools evaluate after whole rollouts, so that equal trainings are evaluated at 2,976 and 3,000 steps.
    """
    lacking = longest - last
    return (lacking > longest * tolerance) & ~(lacking < interval / 2.0)


def runs_ending_early(group: Sequence[RunCurve], tolerance: float) -> set[tuple[object, ...]]:
    """The names of the runs that end before the longest."""
    last = np.array([curve.steps[-1] for curve in group])
    intervals = np.array([np.median(np.diff(curve.steps)) if curve.steps.size > 1 else np.nan for curve in group])
    short = ends_early(last, intervals, last.max(), tolerance)
    return {curve.names for curve, early in zip(group, short, strict=True) if early}


def cut(curve: RunCurve, end: float, tolerance: float) -> RunCurve:
    """The curve up to a step, which may leave nothing of it. A run without a point just before the step, within the
    tolerance (a fraction of it), keeps its first one just after it, which counts as if it were at the step."""
    size = int(np.searchsorted(curve.steps, end, side="right"))
    lacks = size == 0 or curve.steps[size - 1] < end * (1.0 - tolerance)
    if lacks and size < curve.steps.size and curve.steps[size] <= end * (1.0 + tolerance):
        size += 1
    return curve._replace(steps=curve.steps[:size], scores=curve.scores[:size], episodes=curve.episodes[:size])
