"""What the text of the paper claims about its results (sections 6.1 to 6.3, Appendix I), asked of our tables.

A claim is an item "claim/<kind>/<names>" of the published numbers: 1 if the paper says so, 0 if it says the contrary.
Ours is 1 where our point values or intervals say so, else 0. Where our intervals leave the question open, a reason
says that.
"""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from surefoot.figures.coverage import coverage_rows
from surefoot.figures.jordan2020.selection import has_published_selection, whole_environments
from surefoot.figures.selection import bands, mean_intervals, score_intervals
from surefoot.figures.sentences import separated_pairs

Tables = Mapping[str, pd.DataFrame]
Answer = tuple[bool, str] | None  # whether it is so, and why it may be undecided; None where it cannot be tested

_FAILURE_RATE = 0.05
_SOME = 0.005  # of the comparisons: less is printed as 0.00
_ALL = 0.825  # of the comparisons: what is printed as 0.83, five of six
_LOW_END = 0.1  # the proportion of trials that is called the low end of a distribution
_NEAR_OPTIMAL = 0.9  # how far the best trial lies from the lowest return of all (0) to the highest (1)
_ENVIRONMENTS = 15  # of the paper
_FEW = 30
_WIDE = "Student's t of so few trials has tails wider than any band"
_OPEN = "the intervals overlap, so they do not contradict the claim"


class _Evidence(NamedTuple):
    """Rows that claims are asked of: only what was measured with all that the paper compares.

    scores : aggregate scores by (method, algorithm), the method with the narrowest intervals last; means : by
    (environment, algorithm); bands : of distributions; coverage : by (method, size)
    """

    scores: pd.DataFrame
    means: pd.DataFrame
    bands: pd.DataFrame
    coverage: pd.DataFrame


def claim_items(tables: Tables) -> pd.DataFrame:
    """Columns item, ours (0 or 1) and reason of the claims that these tables can test."""
    evidence = _evidence(tables)
    names = tables["published"]["item"]
    rows = []
    for item in names[names.str.startswith("claim/")]:
        _, kind, *parts = item.split("/")
        answer = _KINDS[kind](evidence, *parts)
        if answer is not None:
            rows.append({"item": item, "ours": float(answer[0]), "reason": answer[1]})
    return pd.DataFrame(rows, columns=["item", "ours", "reason"])


def _evidence(tables):
    scores = score_intervals(tables).dropna(subset=["low"])
    environments = whole_environments(tables)
    means, curves = mean_intervals(tables), bands(tables)
    return _Evidence(
        (scores if has_published_selection(tables) else scores.iloc[:0]).set_index(["method", "algorithm"]),
        means[means["environment"].isin(environments)].dropna(subset=["low"]).set_index(["environment", "algorithm"]),
        curves[curves["environment"].isin(environments)],
        coverage_rows(tables, "as_published").set_index(["method", "size"]),
    )


def _best(evidence, environment, algorithm) -> Answer:
    if environment not in evidence.means.index.get_level_values(0):
        return None
    means = evidence.means.loc[environment]
    others = means.drop(index=algorithm)
    best = bool((means["value"][algorithm] >= others["value"]).all())
    return best, _OPEN if means["high"][algorithm] >= others["low"].max() else ""


def _near_optimal(evidence, environment) -> Answer:
    curves = evidence.bands[evidence.bands["environment"] == environment]
    if curves.empty:
        return None
    lowest, highest = curves["score"].min(), curves["score"].max()
    best = curves.groupby("algorithm")["score"].max().min()
    reached = best >= lowest + _NEAR_OPTIMAL * (highest - lowest)
    return bool(reached), "some algorithm has no such trial among so few" if _few(curves) else ""


def _few(curves):
    """Whether bands are so wide that what a tenth of all trials do may not be seen."""
    return bool((curves["high"] - curves["probability"]).max() > _LOW_END)


def _low_end(evidence, adaptive, fixed) -> Answer:
    rows = evidence.bands[evidence.bands["probability"] >= _LOW_END]
    if rows["environment"].nunique() < _ENVIRONMENTS:
        return None
    low_end = rows.groupby(["environment", "algorithm"])["score"].min().unstack()
    above = low_end[adaptive] >= low_end[fixed]
    return bool(above.mean() > 0.5), ""


def _reliable_everywhere(evidence) -> Answer:
    rows = evidence.bands
    if rows["environment"].nunique() < _ENVIRONMENTS:
        return None
    groups = rows.groupby("environment")["score"]
    high = groups.min() + _NEAR_OPTIMAL * (groups.max() - groups.min())
    low_end = rows[rows["probability"] >= _LOW_END].groupby(["algorithm", "environment"])["score"].min().unstack()
    return bool((low_end >= high).all(axis=1).any()), ""


def _overlap(evidence, environment, first, second) -> Answer:
    if environment not in evidence.means.index.get_level_values(0):
        return None
    means = evidence.means.loc[environment]
    apart = means["low"][first] > means["high"][second] or means["low"][second] > means["high"][first]
    return not apart, ""


def _higher_score(evidence, first, second) -> Answer:
    if evidence.scores.empty:
        return None
    narrowest = evidence.scores.loc[evidence.scores.index.get_level_values(0)[-1]]
    open_ = narrowest["high"][first] >= narrowest["low"][second]
    return bool(narrowest["value"][first] > narrowest["value"][second]), _OPEN if open_ else ""


def _separated(evidence, method, first, second) -> Answer:
    if method not in evidence.scores.index:
        return None
    limits = evidence.scores.loc[method]
    open_ = limits["high"][first] >= limits["low"][second]
    return bool(limits["low"][first] > limits["high"][second]), _OPEN if open_ else ""


def _unique_ranking(evidence, method) -> Answer:
    if method not in evidence.scores.index:
        return None
    limits = evidence.scores.loc[method]
    return separated_pairs(limits) == len(limits) * (len(limits) - 1) // 2, ""


def _narrower(evidence, method, algorithm) -> Answer:
    if not {"pbp", method} <= set(evidence.scores.index.get_level_values(0)):
        return None
    widths = evidence.scores["high"] - evidence.scores["low"]
    few = evidence.scores["runs"][method, algorithm] < _FEW
    return bool(widths[method, algorithm] < widths["pbp", algorithm]), _WIDE if few else ""


def _separates_more(evidence, method) -> Answer:
    if not {"pbp", method} <= set(evidence.scores.index.get_level_values(0)):
        return None
    pairs = {name: separated_pairs(evidence.scores.loc[name]) for name in ("pbp", method)}
    return pairs[method] > pairs["pbp"], "with so few trials neither separates any pair" if not pairs[method] else ""


def _fails_too_often(evidence, method, size) -> Answer:
    return _above(evidence, method, size, "failure_rate", _FAILURE_RATE)


def _fails_rarely(evidence, method, size) -> Answer:
    above = _above(evidence, method, size, "failure_rate", _FAILURE_RATE)
    return above and (not above[0], above[1])


def _never_fails(evidence, method, size) -> Answer:
    row = _covered(evidence, method, size)
    return None if row is None else (bool(row["failure_rate"] == 0), "")


def _fails_less(evidence, method, few, many) -> Answer:
    rows = [_covered(evidence, method, size) for size in (few, many)]
    if any(row is None for row in rows):
        return None
    few, many = (row["failure_rate"] for row in rows)
    return bool(many < few), "neither fails in so few data sets" if few == many == 0 else ""


def _separates_some(evidence, method, size) -> Answer:
    return _above(evidence, method, size, "significance", _SOME)


def _separates_all(evidence, method, size) -> Answer:
    return _above(evidence, method, size, "significance", _ALL)


def _above(evidence, method, size, rate, limit) -> Answer:
    """Whether a rate is above a limit; undecided within two standard errors, and where it is that of no data set."""
    row = _covered(evidence, method, size)
    if row is None:
        return None
    near = abs(row[rate] - limit) < 2 * row[f"{rate}_error"]
    # A rate of 0 or 1 has no standard error, and is compatible with one that is 3/datasets away (95 %).
    extreme = row[rate] in (0, 1) and abs(row[rate] - limit) < 3 / row["datasets"]
    return bool(row[rate] > limit), "too few data sets to tell" if near or extreme else ""


def _covered(evidence, method, size):
    """The row of a method and a number of trials, or None."""
    place = (method, int(size))
    return evidence.coverage.loc[place] if place in evidence.coverage.index else None


def _narrowest(evidence, method, size) -> Answer:
    widths = evidence.coverage["mean_width"]
    sizes = [(name, int(size)) for name in ("pbp", "pbp_t", "bootstrap")]
    if not set(sizes) <= set(widths.index):
        return None
    return bool(widths[method, int(size)] == min(widths[place] for place in sizes)), ""


_KINDS = {
    "best": _best,
    "near_optimal": _near_optimal,
    "low_end": _low_end,
    "higher_score": _higher_score,
    "separated": _separated,
    "unique_ranking": _unique_ranking,
    "narrower": _narrower,
    "separates_more": _separates_more,
    "fails_too_often": _fails_too_often,
    "fails_rarely": _fails_rarely,
    "never_fails": _never_fails,
    "fails_less": _fails_less,
    "separates_some": _separates_some,
    "separates_all": _separates_all,
    "overlap": _overlap,
    "reliable_everywhere": _reliable_everywhere,
    "narrowest": _narrowest,
}
