"""What the text of the paper claims about its results (sections 6.1 to 6.3, Appendix I), asked of our tables.

A claim is an item of the published numbers, of its kind and of names. Its value is 1 if the paper says so, and 0 if it
says the contrary. Ours is 1 where our point values or intervals say so, else 0. Each answer also says whether the runs
decide it, how large an effect they would have decided, and how large the printed one is. A claim with our answer is
undecided if they leave it open and could not have decided it at its printed size, else reproduced.

Effects of claims about means and aggregate scores are differences of scores; of claims about Table 2 rates or widths,
beside limits that the text names; of claims about distributions proportions of trials.
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
from surefoot.statistics.reproduction.comparison import POWER, detectable_effect
from surefoot.statistics.reproduction.items import CLAIM, item_text, read_item

_LEVEL = 0.05 / 165  # of one interval among those of all pairs


class UnmeasuredError(Exception):
    """This run or record does not have what a claim is about."""


def _measured(rows: pd.DataFrame, place: str | tuple[str, int]) -> Any:
    """The rows of an environment or a method, or the one of a method and a size; raises UnmeasuredError if missing."""
    if place not in rows.index:
        raise UnmeasuredError
    return rows.loc[place]


def _best(evidence: Evidence, environment: str, algorithm: str) -> Answer:
    means = _measured(evidence.means, environment)
    others = means.drop(index=algorithm)
    rival = others["value"].idxmax()
    gap = means["value"][algorithm] - others["value"][rival]
    error = np.hypot(means["error"][algorithm], others["error"][rival])
    printed = _printed_of(evidence, means.index, "mean", environment)
    margin = printed[algorithm] - max(value for name, value in printed.items() if name != algorithm)
    critical = evidence.critical
    return Answer(gap >= 0, abs(gap) > critical * error, detectable_effect(critical, error), margin)


def _overlap(evidence: Evidence, environment: str, first: str, second: str) -> Answer:
    """The claim is that two algorithms are alike: a difference matters that is as large as the spread of all."""
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
    holds = scores["value"][first] > scores["value"][second]
    return Answer(holds, apart, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _separated(evidence: Evidence, method: str, first: str, second: str) -> Answer:
    scores = _measured(evidence.scores, method)
    above, below = scores["low"][first] > scores["high"][second], scores["low"][second] > scores["high"][first]
    return Answer(above, above or below, _needed(scores, first, second), _printed_gap(evidence, first, second))


def _unique_ranking(evidence: Evidence, method: str) -> Answer:
    """Decided where all pairs are separated; otherwise the intervals must be able to separate even the closest."""
    scores = _measured(evidence.scores, method)
    printed = _printed_of(evidence, scores.index, "game_score")
    order = sorted(printed, key=lambda name: printed[name], reverse=True)
    unique = separated_pairs(scores) == len(scores) * (len(scores) - 1) // 2
    needed = max(_needed(scores, *pair) for pair in pairwise(order))
    return Answer(unique, unique, needed, min(printed[first] - printed[second] for first, second in pairwise(order)))


def _separates_more(evidence: Evidence, method: str) -> Answer:
    """Undecided where the method separates no pair; then it should have separated the pair that is farthest apart."""
    scores = _measured(evidence.scores, method)
    pairs, of_pbp = (separated_pairs(limits) for limits in (scores, _measured(evidence.scores, "pbp")))
    printed = _printed_of(evidence, scores.index, "game_score")
    ends = max(printed, key=lambda name: printed[name]), min(printed, key=lambda name: printed[name])
    return Answer(pairs > of_pbp, pairs > 0, _needed(scores, *ends), _printed_gap(evidence, *ends))


def _narrower(evidence: Evidence, method: str, algorithm: str) -> Answer:
    """Student's t of few trials has tails that widen the interval: the claim is open while they widen it by more than
    the printed interval is narrower than that of PBP."""
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
    """How far the value of `first` must lie above that of `second` for intervals of these widths to have no point in
    common."""
    below, above = limits["value"] - limits["low"], limits["high"] - limits["value"]
    return float(below[first] + above[second])


def _printed_of(evidence: Evidence, algorithms: Sequence[str], quantity: str, *of: str) -> dict[str, float]:
    return {name: evidence.printed[item_text(quantity, *of, name)] for name in algorithms}


def _printed_gap(evidence: Evidence, first: str, second: str) -> float:
    printed = _printed_of(evidence, (first, second), "game_score")
    return float(printed[first] - printed[second])


_FAILURE_RATE = 0.05
_SOME = 0.005  # of the comparisons: less is printed as 0.00
_ALL = 0.825  # of the comparisons: what is printed as 0.83, five of six
_ERRORS = 2.0  # standard errors from a limit that decide a rate
_NONE_OF = 3.0  # a rate of 0 or 1 is compatible with one that is 3/datasets away (95 %)
_METHODS = ("pbp", "pbp_t", "bootstrap")


def _never_fails(evidence: Evidence, method: str, size: str) -> Answer:
    """A failure decides it; without one, the data sets must have shown failures as frequent as is allowed."""
    row = _measured(evidence.coverage, (method, int(size)))
    failed = row["failure_rate"] > 0
    return Answer(not failed, failed, 1.0 - (1.0 - POWER) ** (1.0 / row["datasets"]), _FAILURE_RATE)


def _fails_less(evidence: Evidence, method: str, few: str, many: str) -> Answer:
    row, other = (_measured(evidence.coverage, (method, int(size))) for size in (few, many))
    first, second = row["failure_rate"], other["failure_rate"]
    margin = float(np.hypot(_margin(row, "failure_rate"), _margin(other, "failure_rate")))
    printed = [evidence.printed[item_text("coverage", method, size, "failure_rate")] for size in (few, many)]
    return Answer(second < first, abs(first - second) > margin, _noticed(margin), printed[0] - printed[1])


def _narrowest(evidence: Evidence, method: str, size: str) -> Answer:
    """The paper prints no widths: what is left open by the Monte Carlo error is undecided."""
    rows = {name: _measured(evidence.coverage, (name, int(size))) for name in _METHODS}
    widths = {name: row["mean_width"] for name, row in rows.items()}
    rival = min((name for name in _METHODS if name != method), key=lambda name: widths[name])
    margin = _ERRORS * float(np.hypot(*np.nan_to_num([rows[name]["mean_width_error"] for name in (method, rival)])))
    gap = widths[rival] - widths[method]
    return Answer(gap >= 0, abs(gap) >= margin, _noticed(margin), 0.0)


def _beyond(evidence: Evidence, method: str, size: str, rate: str, limit: float, above: bool = True) -> Answer:
    """Whether a rate is above a limit, or not; the printed rate's distance from the limit is what has to be seen."""
    row = _measured(evidence.coverage, (method, int(size)))
    margin = _margin(row, rate)
    printed = evidence.printed[item_text("coverage", method, size, rate)]
    decided = abs(row[rate] - limit) >= margin
    return Answer((row[rate] > limit) == above, decided, _noticed(margin), abs(printed - limit))


def _margin(row: Any, rate: str) -> float:
    """How far a rate must lie from a limit to decide on which side it is."""
    error = float(np.nan_to_num(row[f"{rate}_error"]))
    return max(_ERRORS * error, _NONE_OF / row["datasets"] if row[rate] in (0, 1) else 0.0)


def _noticed(margin: float) -> float:
    """The distance that decides with probability `POWER`, by the standard error behind the margin."""
    return margin * (1.0 + NormalDist().inv_cdf(POWER) / _ERRORS)


_LOW_END = 0.1  # the proportion of trials that is called the low end of a distribution
_NEAR_OPTIMAL = 0.9  # how far the best trial lies from the lowest return of all (0) to the highest (1)
_ENVIRONMENTS = 15  # of the paper


def _near_optimal(evidence: Evidence, environment: str) -> Answer:
    """One such trial of each algorithm decides it. Without one, the claim is open as long as trials as rare as the
    paper's would have found could be missing: those of which this many hold at least one with probability `POWER`."""
    curves = evidence.bands[evidence.bands["environment"] == environment]
    if len(curves):
        lowest, highest = curves["score"].min(), curves["score"].max()
        best = curves.groupby("algorithm")["score"].max().min()
        reached = bool(best >= lowest + _NEAR_OPTIMAL * (highest - lowest))
        trials = float(evidence.means["runs"].loc[environment].min())
    else:
        row = _measured(evidence.stored, item_text(CLAIM, "near_optimal", environment))
        reached, trials = bool(row["ours"]), float(row["trials"])
    rarest, printed = (1.0 - (1.0 - POWER) ** (1.0 / number) for number in (trials, TRIALS))
    return Answer(reached, reached, rarest, printed)


def _low_end(evidence: Evidence, adaptive: str, fixed: str) -> Answer:
    rows = evidence.bands
    if rows["environment"].nunique() == _ENVIRONMENTS:
        values, least, most = (_tenths(rows, name).unstack() for name in ("probability", "high", "low"))
        above = values[adaptive] >= values[fixed]
        surely, never = least[adaptive] >= most[fixed], most[adaptive] < least[fixed]
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
        # Every algorithm surely fails somewhere.
        decided = bool((most < high).any(axis=1).all())
        return Answer(reliable, decided, _half_width(evidence.means["runs"].min()), _LOW_END)
    return _as_stored(evidence, item_text(CLAIM, "reliable_everywhere"))


def _tenths(rows: pd.DataFrame, column: str) -> pd.Series:
    """The lowest score at which each distribution (or limit of it) reaches the low end, by (environment, algorithm);
    where a limit never does, the highest of its scores."""
    at = rows["score"].where(rows[column] >= _LOW_END)
    groups = [rows["environment"], rows["algorithm"]]
    return at.groupby(groups).min().fillna(rows["score"].groupby(groups).max())


def _as_stored(evidence: Evidence, item: str) -> Answer:
    row = _measured(evidence.stored, item)
    return Answer(bool(row["ours"]), False, _half_width(float(row["trials"])), _LOW_END)


def _half_width(trials: float) -> float:
    """The half width of the paper's bands with this many trials."""
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
"""What answers each kind of claim."""


def claim_items(evidence: Evidence) -> pd.DataFrame:
    """Columns item, ours (0 or 1), undecided, detectable and matters of the claims that this evidence can be asked."""
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
