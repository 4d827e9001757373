"""Claims in the paper's text about its results (sections 6.1 to 6.3, Appendix I), checked against our tables.

A claim is an item of the published numbers, with a kind and names. Its value is 1 if the paper asserts it, and 0 if the
paper denies it. Our value is 1 if our point values or intervals support it, else 0. An answer also states whether the
runs decide the claim, the smallest effect that they could have decided, and the printed effect. If our answer agrees
with the paper's, the claim is reproduced, except that it is undecided if the runs do not decide it and could not have
done so at the printed size of the effect.

For claims about means and aggregate scores, effects are differences of scores; for claims about Table 2, they are rates
or widths, relative to limits in the text; for claims about distributions, they are proportions of trials.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from surefoot.charts.sentences import separated_pairs
from surefoot.papers.jordan2020.evidence import TRIALS, Answer, Evidence, printed_half_width
from surefoot.statistics.reproduction.items import CLAIM, item_text, read_item
from surefoot.statistics.reproduction.published_comparison import POWER, detectable_effect

_LEVEL = 0.05 / 165  # error rate of each of the 165 intervals of means


class UnmeasuredError(Exception):
    """Raised if this run or record lacks the data for a claim."""


def _measured(rows: pd.DataFrame, place: str | tuple[str, int]) -> Any:
    """Return the rows of an environment or method, or the row of (method, size); raise UnmeasuredError if absent."""
    if place not in rows.index:
        raise UnmeasuredError
    return rows.loc[place]


def _best(evidence: Evidence, environment: str, algorithm: str) -> Answer:
    means = _measured(evidence.means, environment)
    others = means.drop(index=algorithm)
    rival = others["estimate"].idxmax()
    gap = means["estimate"][algorithm] - others["estimate"][rival]
    error = np.hypot(means["error"][algorithm], others["error"][rival])
    printed = _printed_of(evidence, means.index, "mean", environment)
    margin = printed[algorithm] - max(value for name, value in printed.items() if name != algorithm)
    critical = evidence.critical
    return Answer(gap >= 0, abs(gap) > critical * error, detectable_effect(critical, error), margin)


def _overlap(evidence: Evidence, environment: str, first: str, second: str) -> Answer:
    """Evaluate a claim that two algorithms are alike.

    A difference matters if it is at least the standard deviation of the printed means of all algorithms.
    """
    means = _measured(evidence.means, environment)
    if means.loc[[first, second], ["low", "high"]].isna().any(axis=None):
        raise UnmeasuredError
    apart = means["low"][first] > means["high"][second] or means["low"][second] > means["high"][first]
    needed = min(_needed(means, first, second), _needed(means, second, first))
    spread = float(np.std(list(_printed_of(evidence, means.index, "mean", environment).values()), ddof=1))
    return Answer(not apart, apart, needed, spread)


def _higher_score(evidence: Evidence, first: str, second: str) -> Answer:
    if evidence.scores.empty:
        raise UnmeasuredError
    scores = evidence.scores.loc[evidence.scores.index.get_level_values(0)[-1]]
    apart = scores["low"][first] > scores["high"][second] or scores["low"][second] > scores["high"][first]
    holds = scores["estimate"][first] > scores["estimate"][second]
    return Answer(holds, apart, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _separated(evidence: Evidence, method: str, first: str, second: str) -> Answer:
    scores = _measured(evidence.scores, method)
    above = scores["low"][first] > scores["high"][second]
    below = scores["low"][second] > scores["high"][first]
    return Answer(above, above or below, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _unique_ranking(evidence: Evidence, method: str) -> Answer:
    """Evaluate a claim of a unique ranking; it needs the power to separate even the pair with the closest scores."""
    scores = _measured(evidence.scores, method)
    printed = _printed_of(evidence, scores.index, "game_score")
    order = sorted(printed, key=lambda name: printed[name], reverse=True)
    unique = separated_pairs(scores) == len(scores) * (len(scores) - 1) // 2
    needed = max(_needed(scores, *pair) for pair in pairwise(order))
    return Answer(unique, unique, needed, min(printed[first] - printed[second] for first, second in pairwise(order)))


def _separates_more(evidence: Evidence, method: str) -> Answer:
    """Evaluate a claim about the number of separated pairs.

    If the method separates no pair, the claim is decided only if the method could have separated the pair that is
    farthest apart.
    """
    scores = _measured(evidence.scores, method)
    pairs, of_pbp = (separated_pairs(limits) for limits in (scores, _measured(evidence.scores, "pbp")))
    printed = _printed_of(evidence, scores.index, "game_score")
    highest = max(printed, key=lambda name: printed[name])
    lowest = min(printed, key=lambda name: printed[name])
    needed = _needed(scores, highest, lowest)
    return Answer(pairs > of_pbp, pairs > 0, needed, _printed_gap(evidence, highest, lowest))


def _narrower(evidence: Evidence, method: str, algorithm: str) -> Answer:
    """Evaluate a claim about the width of intervals.

    With few trials, Student's t widens the interval. The claim is not decided if this widening exceeds the difference
    between the printed interval and PBP's interval.
    """
    ours, of_pbp = (_measured(evidence.scores, name).loc[algorithm] for name in (method, "pbp"))
    holds = ours["high"] - ours["low"] < of_pbp["high"] - of_pbp["low"]
    tails = float(stdtrit(max(ours["runs"] - 1.0, 1.0), 1.0 - _LEVEL / 2.0)) / NormalDist().inv_cdf(1.0 - _LEVEL / 2.0)
    widened = tails - 1.0 if method == "pbp_t" else 0.0
    printed = {
        name: evidence.printed[item_text("game_score_high", name, algorithm)]
        - evidence.printed[item_text("game_score_low", name, algorithm)]
        for name in ("pbp", method)
    }
    return Answer(holds, holds or widened == 0.0, widened, printed["pbp"] / printed[method] - 1.0)


def _needed(limits: pd.DataFrame, first: str, second: str) -> float:
    """Return the difference between `first` and `second` at which intervals of the given widths become disjoint."""
    below = limits["estimate"] - limits["low"]
    above = limits["high"] - limits["estimate"]
    return float(below[first] + above[second])


def _printed_of(evidence: Evidence, algorithms: Sequence[str], quantity: str, *of: str) -> dict[str, float]:
    return {name: evidence.printed[item_text(quantity, *of, name)] for name in algorithms}


def _printed_gap(evidence: Evidence, first: str, second: str) -> float:
    printed = _printed_of(evidence, (first, second), "game_score")
    return float(printed[first] - printed[second])


_FAILURE_RATE = 0.05
_SOME = 0.005  # smallest fraction of the comparisons that counts as "some"; smaller ones are printed as 0.00
_ALL = 0.825  # smallest fraction that counts as all pairs that differ: five of six, which are printed as 0.83
_ERRORS = 2.0  # number of standard errors from a limit that decide a rate
_NONE_OF = 3.0  # a rate of 0 or 1 is compatible with a rate that differs by 3/datasets (95 %)
_METHODS = ("pbp", "pbp_t", "bootstrap")


def _never_fails(evidence: Evidence, method: str, size: str) -> Answer:
    """Evaluate a claim that there are no failures.

    A single failure decides the claim. Without failures, there must be enough data sets to detect failures at the
    allowed rate.
    """
    row = _measured(evidence.coverage, (method, int(size)))
    failed = row["failure_rate"] > 0
    return Answer(not failed, failed, 1.0 - (1.0 - POWER) ** (1.0 / row["datasets"]), _FAILURE_RATE)


def _fails_less(evidence: Evidence, method: str, few: str, many: str) -> Answer:
    row, other = (_measured(evidence.coverage, (method, int(size))) for size in (few, many))
    first = row["failure_rate"]
    second = other["failure_rate"]
    margin = float(np.hypot(_margin(row, "failure_rate"), _margin(other, "failure_rate")))
    printed = [evidence.printed[item_text("coverage", method, size, "failure_rate")] for size in (few, many)]
    return Answer(second < first, abs(first - second) > margin, _noticed(margin), printed[0] - printed[1])


def _narrowest(evidence: Evidence, method: str, size: str) -> Answer:
    """Evaluate a claim about the narrowest intervals.

    The paper prints no widths, so only the Monte Carlo error matters.
    """
    rows = {name: _measured(evidence.coverage, (name, int(size))) for name in _METHODS}
    widths = {name: row["mean_width"] for name, row in rows.items()}
    rival = min((name for name in _METHODS if name != method), key=lambda name: widths[name])
    margin = _ERRORS * float(np.hypot(*np.nan_to_num([rows[name]["mean_width_error"] for name in (method, rival)])))
    gap = widths[rival] - widths[method]
    return Answer(gap >= 0, abs(gap) >= margin, _noticed(margin), 0.0)


def _beyond(evidence: Evidence, method: str, size: str, rate: str, limit: float, above: bool = True) -> Answer:
    """Evaluate a claim that a rate is above a limit, or that it is not.

    The effect that must be detectable is the distance of the printed rate from the limit.
    """
    row = _measured(evidence.coverage, (method, int(size)))
    margin = _margin(row, rate)
    printed = evidence.printed[item_text("coverage", method, size, rate)]
    decided = abs(row[rate] - limit) >= margin
    return Answer((row[rate] > limit) == above, decided, _noticed(margin), abs(printed - limit))


def _margin(row: Any, rate: str) -> float:
    """Return the distance from a limit beyond which a rate decides a claim."""
    error = float(np.nan_to_num(row[f"{rate}_error"]))
    return max(_ERRORS * error, _NONE_OF / row["datasets"] if row[rate] in (0, 1) else 0.0)


def _noticed(margin: float) -> float:
    """Return the distance that is detected with probability `POWER`, if the margin is `_ERRORS` standard errors."""
    return margin * (1.0 + NormalDist().inv_cdf(POWER) / _ERRORS)


_LOW_END = 0.1  # quantile that defines the low end of a distribution
_NEAR_OPTIMAL = 0.9  # position of the best trial between the lowest return of all (0) and the highest (1)
_ENVIRONMENTS = 15  # number of environments in the paper


def _near_optimal(evidence: Evidence, environment: str) -> Answer:
    """Evaluate a claim that all algorithms reach nearly optimal returns.

    A single nearly optimal trial of each algorithm decides the claim. Otherwise, the claim is undecided if such trials
    may be so rare that they are expected among the paper's trials with probability `POWER`, but not among ours.
    """
    curves = evidence.bands[evidence.bands["environment"] == environment]
    if len(curves):
        lowest = curves["score"].min()
        highest = curves["score"].max()
        best = curves.groupby("algorithm")["score"].max().min()
        reached = bool(best >= lowest + _NEAR_OPTIMAL * (highest - lowest))
        trials = float(evidence.means["runs"].loc[environment].min())
    else:
        row = _measured(evidence.stored, item_text(CLAIM, "near_optimal", environment))
        reached = bool(row["ours"])
        trials = float(row["trials"])
    rarest, printed = (1.0 - (1.0 - POWER) ** (1.0 / number) for number in (trials, TRIALS))
    return Answer(reached, reached, rarest, printed)


def _low_end(evidence: Evidence, adaptive: str, fixed: str) -> Answer:
    rows = evidence.bands
    if rows["environment"].nunique() == _ENVIRONMENTS:
        values, least, most = (_tenths(rows, name).unstack() for name in ("probability", "high", "low"))
        above = values[adaptive] >= values[fixed]
        surely = least[adaptive] >= most[fixed]
        never = most[adaptive] < least[fixed]
        decided = max(surely.mean(), never.mean()) > 0.5
        return Answer(bool(above.mean() > 0.5), bool(decided), _half_width(evidence.means["runs"].min()), _LOW_END)
    return _as_stored(evidence, item_text(CLAIM, "low_end", adaptive, fixed))


def _reliable_everywhere(evidence: Evidence) -> Answer:
    rows = evidence.bands
    if rows["environment"].nunique() == _ENVIRONMENTS:
        groups = rows.groupby("environment")["score"]
        high = groups.min() + _NEAR_OPTIMAL * (groups.max() - groups.min())
        values, most = (_tenths(rows, name).unstack(0) for name in ("probability", "low"))
        reliable = bool((values >= high).all(axis=1).any())
        # Every algorithm certainly fails in some environment.
        decided = bool((most < high).any(axis=1).all())
        return Answer(reliable, decided, _half_width(evidence.means["runs"].min()), _LOW_END)
    return _as_stored(evidence, item_text(CLAIM, "reliable_everywhere"))


def _tenths(rows: pd.DataFrame, column: str) -> pd.Series:
    """Return the lowest score at which each distribution (or limit) reaches the low end, by (environment, algorithm).

    If a limit never reaches the low end, the highest score is returned.
    """
    at = rows["score"].where(rows[column] >= _LOW_END)
    groups = [rows["environment"], rows["algorithm"]]
    return at.groupby(groups).min().fillna(rows["score"].groupby(groups).max())


def _as_stored(evidence: Evidence, item: str) -> Answer:
    row = _measured(evidence.stored, item)
    return Answer(bool(row["ours"]), False, _half_width(float(row["trials"])), _LOW_END)


def _half_width(trials: float) -> float:
    """Return the half-width that the paper's bands would have with another number of trials."""
    return printed_half_width() * (TRIALS / trials) ** 0.5


KINDS: dict[str, Callable[..., Answer]] = {
    "best": _best,
    "overlap": _overlap,
    "higher_score": _higher_score,
    "separated": _separated,
    "unique_ranking": _unique_ranking,
    "separates_more": _separates_more,
    "narrower": _narrower,
    "fails_too_often": partial(_beyond, rate="failure_rate", limit=_FAILURE_RATE),
    "fails_rarely": partial(_beyond, rate="failure_rate", limit=_FAILURE_RATE, above=False),
    "fails_less": _fails_less,
    "never_fails": _never_fails,
    "separates_some": partial(_beyond, rate="significance", limit=_SOME),
    "separates_all": partial(_beyond, rate="significance", limit=_ALL),
    "narrowest": _narrowest,
    "near_optimal": _near_optimal,
    "low_end": _low_end,
    "reliable_everywhere": _reliable_everywhere,
}
"""Functions that evaluate each kind of claim."""


def claim_items(evidence: Evidence) -> pd.DataFrame:
    """Evaluate the claims for which there is evidence: columns item, ours (0 or 1), undecided, detectable, matters."""
    rows = []
    for item in map(read_item, evidence.printed.index):
        if item.quantity != CLAIM:
            continue
        kind, *names = item.of
        try:
            answer = KINDS[kind](evidence, *names)
        except UnmeasuredError:
            continue
        row = {"item": item.text, "ours": float(answer.holds), "undecided": not answer.decided}
        rows.append(row | {"detectable": float(answer.detectable), "matters": float(answer.matters)})
    return pd.DataFrame(rows, columns=["item", "ours", "undecided", "detectable", "matters"])
