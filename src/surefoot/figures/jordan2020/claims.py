"""What the text of the paper claims about its results (sections 6.2 and 6.3, Appendix I), asked of our tables.

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
_LOW_END = 0.1  # the proportion of trials that is called the low end of a distribution
_NEAR_OPTIMAL = 0.9  # how far the best trial lies from the lowest return of all (0) to the highest (1)
_FEW = 30
_WIDE = "Student's t of so few trials has tails wider than any band"
_OPEN = "the intervals of this run overlap, so they do not contradict the claim"


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
    return bool(reached), "some algorithm has no such trial among the few of this run" if _few(curves) else ""


def _few(curves):
    """Whether bands are so wide that what a tenth of all trials do may not be seen."""
    return bool((curves["high"] - curves["probability"]).max() > _LOW_END)


def _low_end(evidence, adaptive, fixed) -> Answer:
    rows = evidence.bands[evidence.bands["probability"] >= _LOW_END]
    if rows.empty:
        return None
    low_end = rows.groupby(["environment", "algorithm"])["score"].min().unstack()
    above = low_end[adaptive] >= low_end[fixed]
    return bool(above.mean() > 0.5), ""


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
    if (method, int(size)) not in evidence.coverage.index:
        return None
    row = evidence.coverage.loc[(method, int(size))]
    open_ = row["failure_rate"] + 2 * row["failure_rate_error"] > _FAILURE_RATE or row["datasets"] < 3 / _FAILURE_RATE
    return bool(row["failure_rate"] > _FAILURE_RATE), "too few data sets to tell" if open_ else ""


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
    "narrowest": _narrowest,
}
