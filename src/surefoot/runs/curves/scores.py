"""Reduce learning curves to one score per run."""

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError, Remark, listed
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_names import RUN, refuse_missing_columns
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, UNFINISHED
from surefoot.runs.curves.alignment import (
    Group,
    RunCurve,
    cut,
    first_reached,
    groups_of_runs,
    kind_and_metric,
    named,
    no_steps_in_common,
)
from surefoot.runs.curves.rules import LAST, SELECTED, TOLERANCE, checked_argument, known_rule, written_rule
from surefoot.runs.result_tables import REMARKS
from surefoot.statistics.arrays import Floats

_WHERE = "surefoot.score_curves"
_LISTED = 3
_UNLIKE_STEPS = 0.025
"""Largest difference between the mean evaluation steps of two algorithms, as a fraction of the training, that causes no
remark. It is a quarter of the default window.
"""


def _weights(curve: RunCurve, rule: str, argument: float, end: float) -> Floats:
    """Return float64[points], the weight of each evaluation in the weighted mean that gives the run's score.

    Parameters
    ----------
    end : float
        The run's last step, or the step at which the policy for short runs ends all runs.

    Raises
    ------
    HintedError
        If a run has fewer evaluations or episodes than the rule needs.
    """
    if rule == "window":
        # If no evaluation lies in the window, the one just after it counts. If the run has ended before the window, its
        # last score is carried forward.
        after = curve.steps > (1.0 - argument) * end
        for chosen in (after & (curve.steps <= end), after):
            if chosen.any():
                return np.where(chosen, curve.episodes, 0.0)
    if rule == "last_episodes":
        if (played := curve.episodes.sum()) < argument:
            raise HintedError(
                _WHERE, f"{named(curve)} has {played:g} episodes", f"use a rule_argument of at most {played:g}"
            )
        # Use only as many episodes of the oldest evaluation as are needed, each with the evaluation's mean score.
        later = np.append(curve.episodes[::-1].cumsum()[::-1][1:], 0.0)
        return np.clip(argument - later, 0.0, curve.episodes)
    places = np.arange(curve.scores.size)
    if rule == "last_k":
        if places.size < argument:
            what = f"{named(curve)} has {places.size} evaluations, but the rule needs {argument:g}"
            raise HintedError(_WHERE, what, f"use a rule_argument of at most {places.size}")
        return np.where(places >= places.size - argument, 1.0, 0.0)
    return np.where(places == (np.argmax(curve.scores) if rule == "best" else places[-1]), 1.0, 0.0)


def _area(curve: RunCurve, first: float, last: float) -> tuple[float, int]:
    """Return the area under the curve divided by the range of steps, and the number of evaluations within the range."""
    if last <= first:
        raise no_steps_in_common(_WHERE, first, last)
    inner = curve.steps[(curve.steps > first) & (curve.steps < last)]
    steps = np.concatenate([[first], inner, [last]])
    height = np.interp(steps, curve.steps, curve.scores)
    return float(np.trapezoid(height, steps) / (last - first)), inner.size


@types_checked
def score_curves(
    curves: pd.DataFrame,
    rule: str = "window",
    *,
    rule_argument: float | None = None,
    short_runs: str = "error",
    tolerance: float = TOLERANCE,
    hyperparameters: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Reduce each learning curve to one score by a rule.

    last : the score of the last step
    last_k : the mean of the last `rule_argument` evaluations
    last_episodes : the mean of the last `rule_argument` episodes
    window : the mean over the episodes in the last part of the steps (`rule_argument`, by default a tenth)
    auc : the area under the curve (by trapezoids), divided by the range of steps, which is the same for all runs of an
        environment
    steps_to : the first step with a score of at least `rule_argument`, censored at the last step if there is none;
        lower is better
    best : the highest score of an evaluation, which is biased upwards because of the selection; see
        `surefoot.selection_bias`
    absolute : the score of the selected best policy, evaluated again (scores of kind absolute)

    Parameters
    ----------
    curves : DataFrame
        As returned by `surefoot.read_runs`: one row per run and step, with the columns algorithm, environment, run,
        step (environment steps), score, and episodes if a score is a mean of several; with a single kind and metric.
    rule : str, default "window"
        One of the rules above.
    rule_argument : float, optional
        The argument of the rule.
    short_runs : str, default "error"
        Policy for runs that end before the longest of their environment: "error", "drop" (which favours algorithms
        whose bad runs end early), "worst_score" (they get the lowest score of any run in the environment; for
        `steps_to`, they count as never having reached the score), "carry_forward" (they keep their last score to the
        end) or "truncate_to_shortest" (all runs of the environment end where the shortest does).
    tolerance : float, default 0.05
        Fraction of the steps by which a run may be shorter without counting as short. A run may always be shorter by
        less than an episode, or its own interval between evaluations. If all runs are cut at the end of the shortest,
        a run without an evaluation within this fraction before the end uses its first evaluation within this fraction
        after the end.
    hyperparameters : list of str, optional
        Columns that distinguish runs with the same name. Default: the columns requested from `surefoot.read_runs`.

    Returns
    -------
    DataFrame
        A table with one row per run: algorithm, environment, run, score (in units of the curve's scores; for `steps_to`
        in environment steps), step (of the score), points (number of evaluations used for the score), censored (for
        `steps_to`: True if the score was not reached, so that the step is a lower bound), selected (True if the score
        was selected for being high), rule, kind and metric if the curves have them, and the hyperparameters. A warning
        (`Remark`) is issued if algorithms were evaluated at such different steps that their scores describe different
        parts of the training.

    Raises
    ------
    HintedError
        If the rule is unknown or does not allow its argument, there are short runs and the policy is "error", a run has
        no evaluation in the window that ends with the shortest run, or a step occurs twice.

    Notes
    -----
    Source: the rules are common in the literature; the area as in "Empirical Design in Reinforcement Learning"
    (Patterson et al., JMLR 2024), the last evaluations as in "Deep RL at the Edge of the Statistical Precipice"
    (Agarwal et al., NeurIPS 2021).

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import score_curves
    >>> rows = [("ppo", "maze", run, step, run + step / 100) for run in (0, 1) for step in (100, 200, 300)]
    >>> curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    >>> score_curves(curves, "last_k", rule_argument=2)[["algorithm", "run", "score", "points"]]
      algorithm  run  score  points
    0       ppo    0    2.5       2
    1       ppo    1    3.5       2
    """
    if hyperparameters is not None:
        refuse_missing_columns(_WHERE, curves, hyperparameters)
        curves = curves.copy(deep=False)
        curves.attrs[HYPERPARAMETERS] = list(hyperparameters)
    scores = scored_curves(curves, rule, rule_argument, short_runs, tolerance)
    for remark in scores.attrs.get(REMARKS, ()):
        warnings.warn(remark, Remark, stacklevel=3)
    return scores


def scored_curves(
    curves: pd.DataFrame, rule: str, argument: float | None, short_runs: str, tolerance: float = TOLERANCE
) -> pd.DataFrame:
    """Implement `score_curves` for arguments with checked types; remarks are stored in `attrs`."""
    checkpoint = known_rule(rule).checkpoint
    checked = checked_argument(rule, argument)
    if rule == "absolute" and set(curves.get("kind", ())) != {"absolute"}:
        raise HintedError(
            _WHERE, "the curves do not have scores of the kind absolute", 'use read_runs(..., score_kind="absolute")'
        )
    groups = groups_of_runs(_WHERE, curves, short_runs, tolerance, by_environment=True)
    distinguishing = curves.attrs.get(HYPERPARAMETERS, [])
    rows = []
    for group in groups:
        for curve, scored in _scores_of_group(group, rule, checked, short_runs, tolerance):
            rows.append([*curve.names, *scored])
    of_all = {"selected": checkpoint == SELECTED, "rule": written_rule(rule, checked), **kind_and_metric(curves)}
    table = pd.DataFrame(rows, columns=[*RUN, *distinguishing, *_RunScore._fields])
    remark = _unlike_steps(table) if checkpoint == LAST else ""
    table = table.drop(columns=["end", "mean_step"]).assign(**of_all)
    table.attrs = {HYPERPARAMETERS: distinguishing} if distinguishing else {}
    early = frozenset().union(*(group.early for group in groups))
    if early:
        table.attrs[UNFINISHED] = [list(map(str, names[:3])) for names in sorted(early, key=str)]
        if short_runs == "worst_score":
            names_of_rows = table[[*RUN, *distinguishing]].itertuples(index=False, name=None)
            is_early = np.array([names in early for names in names_of_rows])
            table = _with_worst_scores(table, is_early, rule)
    if remark:
        table.attrs[REMARKS] = [remark]
    return table


class _RunScore(NamedTuple):
    """Score of a run.

    score : the score; for the rule ``steps_to``, the step
    step : step of the score
    points : number of evaluations used for the score
    censored : True if the score of the rule ``steps_to`` was never reached
    end : last step of training that the score covers
    mean_step : mean step of the evaluations that were averaged; NaN for rules that do not average evaluations, and for
        a run whose last score is carried forward
    """

    score: float
    step: float
    points: int
    censored: bool = False
    end: float = math.nan
    mean_step: float = math.nan


def _scores_of_group(
    group: Group, rule: str, argument: float, short_runs: str, tolerance: float
) -> Iterator[tuple[RunCurve, _RunScore]]:
    """Yield each run with its score.

    Raises
    ------
    HintedError
        If a run has no evaluation in the window that ends with the shortest run.
    """
    common = group.steps_in_common()
    for whole in group.curves:
        end = float(whole.steps[-1]) if group.end is None else group.end
        curve = cut(whole, end, tolerance)
        if short_runs == "truncate_to_shortest" and group.end is not None:
            _refuse_empty_window(curve, end, argument if rule == "window" else 1.0)
        scored = _score_of_run(whole, curve, end, common, rule, argument)
        is_carried_forward = group.end is not None and whole.steps[-1] < (1.0 - tolerance) * end
        yield whole, scored._replace(end=end, mean_step=math.nan if is_carried_forward else scored.mean_step)


def _score_of_run(
    whole: RunCurve, curve: RunCurve, end: float, common: tuple[float, float], rule: str, argument: float
) -> _RunScore:
    """Return the score of a run by a rule.

    Parameters
    ----------
    whole, curve : the complete curve, and the part up to `end`
    end : last step for the score
    common : first and last step at which all runs of the environment have a score
    """
    if rule == "auc":
        score, points = _area(whole, *common)
        return _RunScore(score, common[1], points)
    if rule == "steps_to":
        step, reached = first_reached(curve, argument)
        return _RunScore(step, step, 1, censored=not reached)
    weights = _weights(curve, rule, argument, end)
    counted = weights > 0.0
    score = float(np.average(curve.scores[counted], weights=weights[counted]))
    step = float(curve.steps[counted][-1] if rule == "best" else curve.steps[-1])
    mean_step = float(np.average(curve.steps[counted], weights=weights[counted]))
    return _RunScore(score, step, int(counted.sum()), mean_step=mean_step)


def _with_worst_scores(table: pd.DataFrame, is_early: npt.NDArray[np.bool_], rule: str) -> pd.DataFrame:
    """Return scores in which runs that ended early have the worst score of any run in their environment."""
    lower_is_better = rule == "steps_to"
    worst = table.groupby("environment", observed=True)["score"].transform("max" if lower_is_better else "min")
    censored = table["censored"] | (is_early & lower_is_better)
    return table.assign(score=table["score"].mask(is_early, worst), censored=censored)


def _unlike_steps(scores: pd.DataFrame) -> str:
    """Return a remark if algorithms were evaluated in different parts of the training, otherwise "".

    Parameters
    ----------
    scores : DataFrame
        One row per run, with the columns algorithm, environment, end, mean_step and points; see `_RunScore`. Runs
        without a mean step are ignored.
    """
    evaluated = scores[scores["mean_step"].notna() & (scores["end"] > 0)]
    evaluated = evaluated.assign(part=evaluated["mean_step"] / evaluated["end"])
    cells = [evaluated["environment"].astype(str), evaluated["algorithm"].astype(str)]
    means = evaluated.groupby(cells, sort=False)[["part", "mean_step", "points"]].mean()
    parts = means["part"].groupby("environment", sort=False)
    gaps = parts.max() - parts.min()
    unlike = list(gaps.index[gaps > _UNLIKE_STEPS])
    if not unlike:
        return ""
    inside = means.loc[gaps.idxmax()].sort_values("part").iloc[[0, -1]]
    steps = " and ".join(
        f"{row.Index} at step {row.mean_step:,.0f} on average ({row.points:.3g} per score)"
        for row in inside.itertuples()
    )
    return (
        f"Algorithms were evaluated in different parts of the training in {listed(unlike, _LISTED)}; for example, in "
        f"{gaps.idxmax()}, {steps}. While scores still rise, this favours {inside.index[-1]}; the rule auc compares "
        "the same steps."
    )


def higher_is_better(scores: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Convert steps at which a score was reached to the fraction of training that was left; 0 if it was not reached.

    Runs that never reach the score all get the lowest value, whenever they ended. The mean over runs is one minus the
    restricted mean of the steps, as a fraction of the training.
    """
    ends = scores["environment"].map(curves.groupby("environment")["step"].max())
    left = (1.0 - scores["score"] / ends).clip(lower=0.0)
    return scores.assign(score=left.mask(scores["censored"], 0.0))


def _refuse_empty_window(curve: RunCurve, end: float, argument: float) -> None:
    """Raise a HintedError if a run has no evaluation in the window that ends with the shortest run."""
    if curve.steps.size and curve.steps[-1] > (1.0 - argument) * end:
        return
    part = "" if argument == 1.0 else f"the last {argument:.3g} of "
    what = f"{named(curve)} has no evaluation in {part}the steps up to {end:,.0f}, the end of the shortest"
    others = 'short_runs="carry_forward" or "drop"'
    raise HintedError(_WHERE, what, others if argument == 1.0 else f"use a wider window (rule_argument), or {others}")


@types_checked
def selection_bias(curves: pd.DataFrame) -> pd.DataFrame:
    """Estimate from learning curves how much a run's best evaluation exceeds the true value of its policy.

    The best of N noisy evaluations is the highest partly by luck. The evaluations before and after it were not
    selected, so they show the value of the policy without this bias. For each run, the best score is compared with
    their mean (at an end of the curve, with the line through the two nearest). Since the neighbours are known to be
    lower than the best, they are slightly too low on average: the difference is multiplied by (N - 1) / N, which is
    exact if the policy does not change and errors are independent and identically distributed.

    This assumes that errors of evaluations are independent, which is not true for running means (the bias is then
    underestimated), and that the policy changes linearly from one evaluation to the next (if the curve has a peak, its
    height above both sides counts as bias). The estimate for a single run is mostly noise: use the mean over runs.

    If curves still rise, the estimate is too high, because only the last evaluations can be the best, and the
    correction by (N - 1) / N is then too small. The excess depends on how much the policy gains from one evaluation to
    the next, in standard deviations of the errors: up to 0.1, it is negligible; at 0.5 it is a third, at 1 it is 70 %,
    and at 2 it is 100 % of a bias that is itself small. From 4 on, the last evaluation is the best, and both are zero.

    Parameters
    ----------
    curves : DataFrame
        As returned by `surefoot.read_runs`: one row per run and step, with the columns algorithm, environment, run,
        step and score.

    Returns
    -------
    DataFrame
        A table with one row per algorithm and environment, in units of the scores: runs (number of runs with at least
        three evaluations), best (mean over runs of the best score), bias (mean estimate), standard_error (of the bias,
        over runs; NaN for one run), judged (best - bias).

    Raises
    ------
    HintedError
        If a column is missing, a step occurs twice, or no run has three evaluations.

    Notes
    -----
    Source: this project; checked against the expected maximum of independent normal errors.

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import selection_bias
    >>> scores = {0: [5, 9, 4, 6], 1: [6, 5, 8, 7]}
    >>> rows = [("ppo", "maze", run, step, score) for run in scores for step, score in enumerate(scores[run])]
    >>> curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    >>> selection_bias(curves)[["algorithm", "best", "bias", "judged"]].round(2)
      algorithm  best  bias  judged
    0       ppo   8.5  2.44    6.06
    """
    where = "surefoot.selection_bias"
    rows = []
    for group in groups_of_runs(where, curves, "carry_forward", 0.0, by_environment=True):
        for curve in group.curves:
            if curve.scores.size >= 3:
                place = int(np.argmax(curve.scores))
                excess = curve.scores[place] - _beside(curve.steps, curve.scores, place)
                bias = excess * (curve.scores.size - 1) / curve.scores.size
                rows.append((*curve.names[:2], curve.scores[place], bias))
    if not rows:
        raise HintedError(where, "no run has three evaluations", "use curves with more evaluations")
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "best", "bias"])
    means = table.groupby(["algorithm", "environment"], sort=False).agg(
        runs=("best", "size"), best=("best", "mean"), bias=("bias", "mean"), deviation=("bias", "std")
    )
    means["standard_error"] = means.pop("deviation") / np.sqrt(means["runs"])
    return means.assign(judged=means["best"] - means["bias"]).reset_index()


def _beside(steps: Floats, scores: Floats, place: int) -> float:
    """Interpolate or extrapolate the score at the step of a point from the two nearest other points."""
    last = steps.size - 1
    before, after = {0: (1, 2), last: (last - 2, last - 1)}.get(place, (place - 1, place + 1))
    slope = (scores[after] - scores[before]) / (steps[after] - steps[before])
    return float(scores[before] + slope * (steps[place] - steps[before]))
