"""One score for each learning curve, by a stated rule."""

import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from surefoot.columns import HYPERPARAMETERS, RUN, UNFINISHED, refuse_missing_columns, types_checked
from surefoot.curves.alignment import (
    RunCurve,
    cut,
    first_reached,
    groups_of_runs,
    kind_and_metric,
    named,
    no_steps_in_common,
)
from surefoot.curves.rules import LAST, SELECTED, TOLERANCE, checked_amount, known_rule, written_rule
from surefoot.errors import HintedError, Remark, listed
from surefoot.result_tables import REMARKS
from surefoot.statistics.arrays import Floats

_WHERE = "surefoot.scores_of_curves"
_LISTED = 3
_UNLIKE_STEPS = 0.025
"""Part of the training by which the evaluations behind scores may lie earlier for one algorithm than for another
without a remark: a quarter of the usual window."""


def _weights(curve: RunCurve, rule: str, amount: float, end: float) -> Floats:
    """float64[points]: how much each evaluation counts in the mean that is the score of a run.

    Parameters
    ----------
    end : the run's own last step, or the one at which all runs end by the policy of short runs

    Raises
    ------
    HintedError
        for a run with fewer evaluations or episodes than the rule needs
    """
    if rule == "window":
        # Without an evaluation in the window, that just after it counts; else the run has ended before it, and its last
        # score is carried forward.
        after = curve.steps > (1.0 - amount) * end
        for chosen in (after & (curve.steps <= end), after):
            if chosen.any():
                return np.where(chosen, curve.episodes, 0.0)
    if rule == "last_episodes":
        if (played := curve.episodes.sum()) < amount:
            raise HintedError(_WHERE, f"{named(curve)} has {played:g} episodes", f"amount at most {played:g}")
        # The oldest evaluation counts with as many of its episodes as are wanted, at its own mean.
        later = np.append(curve.episodes[::-1].cumsum()[::-1][1:], 0.0)
        return np.clip(amount - later, 0.0, curve.episodes)
    places = np.arange(curve.scores.size)
    if rule == "last_k":
        if places.size < amount:
            what = f"{named(curve)} has {places.size} evaluations, and the last {amount:g} are asked for"
            raise HintedError(_WHERE, what, f"amount at most {places.size}")
        return np.where(places >= places.size - amount, 1.0, 0.0)
    return np.where(places == (np.argmax(curve.scores) if rule == "best" else places[-1]), 1.0, 0.0)


def _area(curve: RunCurve, first: float, last: float) -> tuple[float, int]:
    """(area under the curve divided by the range of steps, number of evaluations within it)."""
    if last <= first:
        raise no_steps_in_common(_WHERE, first, last)
    inner = curve.steps[(curve.steps > first) & (curve.steps < last)]
    steps = np.concatenate([[first], inner, [last]])
    height = np.interp(steps, curve.steps, curve.scores)
    return float(np.trapezoid(height, steps) / (last - first)), inner.size


@types_checked
def scores_of_curves(
    curves: pd.DataFrame,
    rule: str = "window",
    *,
    amount: float | None = None,
    short_runs: str = "error",
    tolerance: float = TOLERANCE,
    hyperparameters: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One score for each run, from its learning curve, by a stated rule.

    last : the score of the last step
    last_k : the mean of the last `amount` evaluations
    last_episodes : the mean of the last `amount` episodes
    window : the mean over the episodes in the last part of the steps (`amount`, by default a tenth)
    auc : the area under the curve (trapezoids), divided by the range of steps, one range for all runs of an environment
    steps_to : the first step with a score of at least `amount`, censored at the last step if there is none; lower is
        better
    best : the highest score of an evaluation, which is biased upwards because it was selected for being high; see
        `surefoot.selection_bias`
    absolute : the score of the selected best policy, evaluated again (scores of kind absolute)

    Parameters
    ----------
    curves : as `surefoot.read_runs` returns them: one row per run and step, with the columns algorithm, environment,
        run, step (environment steps), score, and episodes if a score is a mean of several; of one kind and metric
    rule : one of those above
    amount : the argument of the rule
    short_runs : what happens to runs that end before the longest of their environment: "error", "drop" (which favours
        algorithms whose bad runs end early), "worst_score" (they get the lowest score of any run in the environment;
        for `steps_to`, they count as never having reached the score), "carry_forward" (they keep their last score to
        the end) or "truncate_to_shortest" (all runs of the environment end where the shortest does)
    tolerance : fraction of the steps that a run may lack without counting as short; a run may always lack less than
        an episode, or its own interval between evaluations. Where all runs end with the shortest, an evaluation after
        that step counts if it comes later by no more than this fraction, and the run has none as near before it
    hyperparameters : columns in which runs of one name may differ; by default those that `surefoot.read_runs` was asked
        for

    Returns
    -------
    a table with one row per run: algorithm, environment, run, score (in units of the curve's scores; for `steps_to` in
    environment steps), step (of the score), points (number of evaluations behind it), censored (for `steps_to`: the
    score was not reached, and the step is a lower bound), selected (the score was chosen for being high), rule, kind
    and metric if the curves have them, and the hyperparameters. A warning (`Remark`) says so if algorithms were
    evaluated at such different steps that their scores are of different parts of the training

    Raises
    ------
    HintedError : an unknown rule, an amount that it does not allow, short runs, a run without an evaluation in the
        window that ends with the shortest run, steps that occur twice

    Source: the rules are those of the literature; the area as in "Empirical Design in Reinforcement Learning"
    (Patterson et al., JMLR 2024), the last evaluations as in "Deep RL at the Edge of the Statistical Precipice"
    (Agarwal et al., NeurIPS 2021).
    """
    if hyperparameters is not None:
        refuse_missing_columns(_WHERE, curves, hyperparameters)
        curves = curves.copy(deep=False)
        curves.attrs[HYPERPARAMETERS] = list(hyperparameters)
    scores = scored_curves(curves, rule, amount, short_runs, tolerance)
    for remark in scores.attrs.get(REMARKS, ()):
        warnings.warn(remark, Remark, stacklevel=3)
    return scores


def scored_curves(
    curves: pd.DataFrame, rule: str, amount: float | None, short_runs: str, tolerance: float = TOLERANCE
) -> pd.DataFrame:
    """What `scores_of_curves` returns, of arguments whose types are known, with its remarks in `attrs`."""
    checkpoint = known_rule(rule).checkpoint
    given = checked_amount(rule, amount)
    if rule == "absolute" and set(curves.get("kind", ())) != {"absolute"}:
        raise HintedError(_WHERE, "the curves are not of the kind absolute", 'read_runs(..., kind="absolute")')
    groups = groups_of_runs(_WHERE, curves, short_runs, tolerance, by_environment=True)
    told_apart = curves.attrs.get(HYPERPARAMETERS, [])
    rows, parts = [], []
    for group in groups:
        first, last = group.steps_in_common()
        for whole in group.curves:
            end = float(whole.steps[-1]) if group.end is None else group.end
            curve = cut(whole, end, tolerance)
            if short_runs == "truncate_to_shortest" and group.end is not None:
                _refuse_empty_window(curve, end, given if rule == "window" else 1.0)
            censored = False
            if rule == "auc":
                step = last
                score, points = _area(whole, first, last)
            elif rule == "steps_to":
                step, reached = first_reached(curve, given)
                score, points, censored = step, 1, not reached
            else:
                weights = _weights(curve, rule, given, end)
                counted = weights > 0.0
                points = int(counted.sum())
                score = float(np.average(curve.scores[counted], weights=weights[counted]))
                # What became of runs that are carried forward is said elsewhere.
                if checkpoint == LAST and end > 0 and (group.end is None or whole.steps[-1] >= (1.0 - tolerance) * end):
                    mean = float(np.average(curve.steps[counted], weights=weights[counted]))
                    parts.append((*map(str, whole.names[:2]), mean / end, mean, points))
                step = float(curve.steps[counted][-1] if rule == "best" else curve.steps[-1])
            row: dict[str, object] = dict(zip([*RUN, *told_apart], whole.names, strict=True))
            rows.append(row | {"score": score, "step": step, "points": points, "censored": censored})
    of_all = {"selected": checkpoint == SELECTED, "rule": written_rule(rule, given), **kind_and_metric(curves)}
    table = pd.DataFrame(rows).assign(**of_all)
    table.attrs = {HYPERPARAMETERS: told_apart} if told_apart else {}
    early = {names for group in groups for names in group.early}
    if early:
        table.attrs[UNFINISHED] = [list(map(str, names[:3])) for names in sorted(early, key=str)]
    if early and short_runs == "worst_score":
        is_early = [names in early for names in zip(*(table[name] for name in [*RUN, *told_apart]), strict=True)]
        worst = table.groupby("environment", observed=True)["score"].transform("max" if rule == "steps_to" else "min")
        table["score"] = table["score"].mask(is_early, worst)
        table["censored"] |= (rule == "steps_to") & np.array(is_early)
    if remark := _unlike_steps(pd.DataFrame(parts, columns=["algorithm", "environment", "part", "step", "points"])):
        table.attrs[REMARKS] = [remark]
    return table


def _unlike_steps(evaluated: pd.DataFrame) -> str:
    """A sentence where the scores of one algorithm are of an earlier part of the training than those of another, since
    its evaluations are more frequent or lie elsewhere; "" where they are not.

    Parameters
    ----------
    evaluated : one row for each run: the mean step of the evaluations behind its score, also as a part of its training,
        and their number
    """
    means = evaluated.groupby(["environment", "algorithm"], sort=False).mean()
    parts = means["part"].groupby("environment", sort=False)
    gaps = parts.max() - parts.min()
    unlike = list(gaps.index[gaps > _UNLIKE_STEPS])
    if not unlike:
        return ""
    inside = means.loc[gaps.idxmax()].sort_values("part").iloc[[0, -1]]
    steps = " and ".join(
        f"{row.Index} at step {row.step:,.0f} on average ({row.points:.3g} in a score)" for row in inside.itertuples()
    )
    return (
        f"Evaluations are of different parts of the training in {listed(unlike, _LISTED)}, such as in {gaps.idxmax()}: "
        f"{steps}. While scores still rise, that favours {inside.index[-1]}; the rule auc compares the same steps."
    )


def higher_is_better(scores: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """The part of the training that was left when a score was reached; nothing is left of one that did not reach it.

    Runs that never reach it so tie as the lowest, whatever steps they ended at, and the mean over runs is one minus the
    restricted mean of the steps as part of the training.
    """
    ends = scores["environment"].map(curves.groupby("environment")["step"].max())
    left = (1.0 - scores["score"] / ends).clip(lower=0.0)
    return scores.assign(score=left.mask(scores["censored"], 0.0))


def _refuse_empty_window(curve: RunCurve, end: float, amount: float) -> None:
    """Raise a HintedError for a run without an evaluation in the last part of the steps up to that of the shortest."""
    if curve.steps.size and curve.steps[-1] > (1.0 - amount) * end:
        return
    part = "" if amount == 1.0 else f"the last {amount:.3g} of "
    what = f"{named(curve)} has no evaluation in {part}the steps up to {end:,.0f}, the end of the shortest"
    others = 'short_runs="carry_forward" or "drop"'
    raise HintedError(_WHERE, what, others if amount == 1.0 else f"a wider window (amount), or {others}")


def selection_bias(curves: pd.DataFrame) -> pd.DataFrame:
    """By how much the best evaluation of a run exceeds what its policy is worth, estimated from the curves themselves.

    The best of N noisy evaluations is the highest partly by luck. The evaluations before and after it were not
    selected, so they show what the policy is worth without that luck. For each run, the best score is compared with
    their mean (at an end of the curve, with the line through the two nearest). Since the neighbours are lower than the
    best, they are slightly unlucky: the difference is multiplied by (N - 1) / N, which is exact if the policy does not
    change and errors are independent and identically distributed.

    This assumes that errors of evaluations are independent, which those of running means are not (the bias is then
    underestimated), and that the policy changes linearly from one evaluation to the next (if the curve has a peak, its
    height above both sides counts as bias). The estimate for a single run is mostly noise: use the mean over runs.

    If curves still rise, the estimate is too high, because only the last evaluations can be the best, and neighbours
    that lost against the best are unluckier than (N - 1) / N allows for. If from one evaluation to the next the policy
    gains up to a tenth of the standard deviation of the errors, the excess is negligible; at one half it is a third, at
    one standard deviation 70 %, and at two 100 %, where the bias itself is small. From four on, the last evaluation is
    the best, and both are zero.

    Parameters
    ----------
    curves : as `surefoot.read_runs` returns them: one row per run and step, with the columns algorithm, environment,
        run, step, score

    Returns
    -------
    a table with one row per algorithm and environment, in units of the scores: runs (those with at least three
    evaluations), best (mean over runs of the best score), bias (mean estimate), standard_error (of the bias, over runs;
    NaN for one run), judged (best - bias)

    Raises
    ------
    HintedError : a missing column, a step that occurs twice, or no run with three evaluations

    Source: this project; checked against the expected maximum of independent normal errors.
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
        raise HintedError(where, "no run has three evaluations", "curves with more evaluations")
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "best", "bias"])
    found = table.groupby(["algorithm", "environment"], sort=False).agg(
        runs=("best", "size"), best=("best", "mean"), bias=("bias", "mean"), deviation=("bias", "std")
    )
    found["standard_error"] = found.pop("deviation") / np.sqrt(found["runs"])
    return found.assign(judged=found["best"] - found["bias"]).reset_index()


def _beside(steps: Floats, scores: Floats, place: int) -> float:
    """What the line through the two nearest other points says at the step of a point."""
    last = steps.size - 1
    before, after = {0: (1, 2), last: (last - 2, last - 1)}.get(place, (place - 1, place + 1))
    slope = (scores[after] - scores[before]) / (steps[after] - steps[before])
    return float(scores[before] + slope * (steps[place] - steps[before]))
