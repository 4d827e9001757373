"""Claims about means and aggregate scores: effects are differences of scores, beside the printed ones."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from surefoot.charts.sentences import separated_pairs
from surefoot.papers.jordan2020.evidence import Answer, Evidence
from surefoot.statistics.reproduction.items import item_text
from surefoot.statistics.reproduction.verdicts import NOTICED, STANDARD_ERRORS

_LEVEL = 0.05 / 165  # of one interval among those of all pairs


def _best(evidence: Evidence, environment: str, algorithm: str) -> Answer | None:
    if environment not in evidence.means.index.get_level_values(0):
        return None
    means = evidence.means.loc[environment]
    others = means.drop(index=algorithm)
    rival = others["value"].idxmax()
    gap = means["value"][algorithm] - others["value"][rival]
    error = np.hypot(means["error"][algorithm], others["error"][rival])
    printed = _printed_of(evidence, means.index, "mean", environment)
    margin = printed[algorithm] - max(value for name, value in printed.items() if name != algorithm)
    return Answer(gap >= 0, abs(gap) > STANDARD_ERRORS * error, NOTICED * error, margin)


def _overlap(evidence: Evidence, environment: str, first: str, second: str) -> Answer | None:
    """The claim is that two algorithms are alike: a difference matters that is as large as the spread of all."""
    if environment not in evidence.means.index.get_level_values(0):
        return None
    means = evidence.means.loc[environment]
    if means.loc[[first, second], ["low", "high"]].isna().any(axis=None):
        return None
    apart = means["low"][first] > means["high"][second] or means["low"][second] > means["high"][first]
    needed = min(_needed(means, first, second), _needed(means, second, first))
    spread = float(np.std(list(_printed_of(evidence, means.index, "mean", environment).values()), ddof=1))
    return Answer(not apart, apart, needed, spread)


def _higher_score(evidence: Evidence, first: str, second: str) -> Answer | None:
    if evidence.scores.empty:
        return None
    scores = evidence.scores.loc[evidence.scores.index.get_level_values(0)[-1]]
    apart = scores["low"][first] > scores["high"][second] or scores["low"][second] > scores["high"][first]
    holds = scores["value"][first] > scores["value"][second]
    return Answer(holds, apart, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _separated(evidence: Evidence, method: str, first: str, second: str) -> Answer | None:
    if method not in evidence.scores.index:
        return None
    scores = evidence.scores.loc[method]
    above, below = scores["low"][first] > scores["high"][second], scores["low"][second] > scores["high"][first]
    return Answer(above, above or below, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _unique_ranking(evidence: Evidence, method: str) -> Answer | None:
    """Decided where all pairs are separated; otherwise the intervals must be able to separate even the closest."""
    if method not in evidence.scores.index:
        return None
    scores = evidence.scores.loc[method]
    printed = _printed_of(evidence, scores.index, "game_score")
    order = sorted(printed, key=lambda name: printed[name], reverse=True)
    unique = separated_pairs(scores) == len(scores) * (len(scores) - 1) // 2
    needed = max(_needed(scores, *pair) for pair in pairwise(order))
    return Answer(unique, unique, needed, min(printed[first] - printed[second] for first, second in pairwise(order)))


def _separates_more(evidence: Evidence, method: str) -> Answer | None:
    """Undecided where the method separates no pair; then it should have separated the pair that is farthest apart."""
    if not {"pbp", method} <= set(evidence.scores.index.get_level_values(0)):
        return None
    pairs = {name: separated_pairs(evidence.scores.loc[name]) for name in ("pbp", method)}
    scores = evidence.scores.loc[method]
    printed = _printed_of(evidence, scores.index, "game_score")
    ends = max(printed, key=lambda name: printed[name]), min(printed, key=lambda name: printed[name])
    undecided = pairs[method] == 0
    return Answer(pairs[method] > pairs["pbp"], not undecided, _needed(scores, *ends), _printed_gap(evidence, *ends))


def _narrower(evidence: Evidence, method: str, algorithm: str) -> Answer | None:
    """Student's t of few trials has tails that widen the interval: the claim is open while they widen it by more than
    the printed interval is narrower than that of PBP."""
    if not {"pbp", method} <= set(evidence.scores.index.get_level_values(0)):
        return None
    widths = evidence.scores["high"] - evidence.scores["low"]
    holds = widths[method, algorithm] < widths["pbp", algorithm]
    runs = evidence.scores["runs"][method, algorithm]
    tails = float(stdtrit(max(runs - 1.0, 1.0), 1.0 - _LEVEL / 2.0)) / NormalDist().inv_cdf(1.0 - _LEVEL / 2.0)
    widened = tails - 1.0 if method == "pbp_t" else 0.0
    printed = {
        name: evidence.printed[item_text("game_score_high", name, algorithm)]
        - evidence.printed[item_text("game_score_low", name, algorithm)]
        for name in ("pbp", method)
    }
    return Answer(holds, holds or widened == 0.0, widened, printed["pbp"] / printed[method] - 1.0)


def _needed(limits: pd.DataFrame, first: str, second: str) -> float:
    """How far the value of `first` must lie above that of `second` for intervals of these widths to have no point in
    common."""
    below, above = limits["value"] - limits["low"], limits["high"] - limits["value"]
    return float(below[first] + above[second])


def _printed_of(evidence: Evidence, algorithms: Sequence[str], quantity: str, *of: str) -> dict[str, float]:
    return {name: evidence.printed[item_text(quantity, *of, name)] for name in algorithms}


def _printed_gap(evidence: Evidence, first: str, second: str) -> float:
    printed = _printed_of(evidence, (first, second), "game_score")
    return float(printed[first] - printed[second])


KINDS: dict[str, Callable[..., Answer | None]] = {
    "best": _best,
    "overlap": _overlap,
    "higher_score": _higher_score,
    "separated": _separated,
    "unique_ranking": _unique_ranking,
    "separates_more": _separates_more,
    "narrower": _narrower,
}
