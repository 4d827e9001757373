"""What aggregate scores and their intervals say of the paper's claim: Sarsa-Parl2 and Q-Parl2 lie above all others."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from surefoot.charts.selection import METHOD_TITLES, recorded_scores, score_intervals, titles
from surefoot.charts.sentences import capitalised, counted, item, joined, named, why_quoted
from surefoot.papers.jordan2020.selection import scores_are_of_published_selection
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

CLAIMED = ("sarsa_parl2", "q_parl2")
"""The algorithms that are better than all others (section 6.3 of the paper)."""
_NOT_TESTED = (
    "This study lacks an algorithm or an environment of the paper, or the intervals, and cannot test the claim."
)


class Settled(NamedTuple):
    """Comparisons of the claim's algorithms with others: how many there are, and in how many of them the intervals of a
    method put the claim's algorithm above, and below."""

    pairs: int
    above: int
    below: int


def shown_scores(tables: Tables) -> tuple[pd.DataFrame, bool]:
    """The aggregate scores to show, by every method: those of the large run where it has more trials, else those of
    this run; and whether they are of the large run."""
    record = recorded_scores(tables)
    if record is None or not scores_are_of_published_selection(tables, record):
        return score_intervals(tables), False
    return record, True


def settled(intervals: pd.DataFrame) -> dict[str, Settled]:
    """What the intervals of each method settle of the claim, the method to quote first.

    intervals : columns method, algorithm, low, high, of all algorithms of the paper
    """
    found = {}
    for method, rows in intervals.groupby("method", sort=False):
        claimed = rows["algorithm"].isin(CLAIMED)
        leaders, others = rows[claimed], rows[~claimed]
        above = sum(int((others["high"] < low).sum()) for low in leaders["low"])
        below = sum(int((others["low"] > high).sum()) for high in leaders["high"])
        found[method] = Settled(len(leaders) * len(others), above, below)
    return found


def claim_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `claim_verdict`, `claim` (what the intervals settle) and `leaders` (who has the highest scores)."""
    intervals, recorded = shown_scores(tables)
    leaders = item("leaders", _leaders(intervals, settings))
    if not scores_are_of_published_selection(tables, intervals) or intervals["low"].isna().any():
        return [item("claim_verdict", "not tested"), item("claim", _NOT_TESTED), leaders]
    told = settled(intervals)
    first, *others = told
    said = (
        _settled_by(first, others, told, _limits(intervals, settings)),
        _between_claimed(intervals, settings),
        why_quoted(first, recorded),
    )
    return [
        item("claim_verdict", _verdict(told)),
        item("claim", " ".join(filter(None, said)), told[first].above),
        leaders,
    ]


def scores_finding(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Who scores highest, and by which of these intervals that is more than chance: those with a guarantee, or else
    those without one, of which it is said."""
    best = _best(intervals)
    names = titles(best["algorithm"], settings, "algorithm")
    first = list(best["algorithm"].head(2))
    if set(first) != set(CLAIMED):
        return f"{names[first[0]]} has the highest aggregate score"
    whole = [method for method, found in settled(intervals).items() if found.above == found.pairs]
    proven = [method for method in whole if INTERVAL_METHODS[method].proven]
    surest = proven or whole
    if not surest:
        sure = "no interval separates both from all others"
    else:
        promise = "" if proven else ", without a guarantee,"
        verb = "separates" if len(surest) == 1 else "separate"
        sure = f"{joined([named(method) for method in surest])}{promise} {verb} both from all others"
    return f"{joined([names[name] for name in first])} score highest: {sure}"


def _verdict(told: Mapping[str, Settled]) -> str:
    """What became of the claim, by the method to quote, which comes first, and by the others."""
    first, *others = told
    if told[first].below:
        return "contradicted"
    if told[first].above == told[first].pairs:
        return "reproduced"
    whole = [named(method) for method in others if told[method].above == told[method].pairs]
    if not whole:
        return "not settled by these trials"
    if any(INTERVAL_METHODS[method].proven and told[method].above == told[method].pairs for method in others):
        return f"reproduced by {joined(whole)}, not settled by {named(first)}"
    return "reproduced, but only by intervals without a guarantee"


def _leaders(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    best = _best(intervals).head(3)
    names = titles(best["algorithm"], settings, "algorithm")
    scores = [f"{names[row.algorithm]} ({written(row.value, '.3f')})" for row in best.itertuples()]
    third = f"; {scores[2]} comes third" if len(scores) > 2 else ""
    return f"{joined(scores[:2])} {'has' if len(scores) == 1 else 'have'} the highest aggregate scores{third}."


def _best(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first method, best first."""
    rows = intervals[intervals["method"] == intervals["method"].iloc[0]]
    return rows.sort_values("rank", kind="stable")


def _settled_by(first: str, others: list[str], told: Mapping[str, Settled], limits: str) -> str:
    """What the method to quote says (`limits`) and settles, and how many comparisons the others do, those that settle
    none left out."""
    pairs, above, below = told[first]
    sure = ", which makes no assumption about the returns," if INTERVAL_METHODS[first].proven else ""
    against = f" and {below} against it" if below else ""
    text = (
        f"The interval to quote ({METHOD_TITLES[first]}){sure} is {limits}. Of the claim's "
        f"{counted(pairs, 'comparison')} with other algorithms, it settles {above or 'none'} in favour of the "
        f"claim{against}."
    )
    whole = [method for method in others if told[method].above == pairs]
    part = [f"{METHOD_TITLES[method]}: {told[method].above}" for method in others if 0 < told[method].above < pairs]
    if whole:
        several = len(whole) > 1
        proven = any(INTERVAL_METHODS[method].proven for method in whole)
        trust = "" if proven else f", {'intervals' if several else 'an interval'} without a guarantee,"
        rest = f" ({', '.join(part)})" if part else ""
        text += f" {capitalised(joined([named(method) for method in whole]))}{trust} "
        text += f"{'settle' if several else 'settles'} all {pairs}{rest}."
    elif part:
        text += f" Other intervals settle some in its favour ({', '.join(part)})."
    opposed = [named(method) for method in others if told[method].below]
    if opposed:
        text += f" Some comparisons go against it by {joined(opposed)}."
    return text if below or opposed else f"{text} No comparison goes against it."


def _limits(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Limits and worst ranks of the claim's algorithms by the method to quote."""
    best = _best(intervals)
    names = titles(best["algorithm"], settings, "algorithm")
    told = []
    for row in best[best["algorithm"].isin(CLAIMED)].itertuples():
        low, high = (written(max(0.0, min(1.0, limit)), ".3f") for limit in (row.low, row.high))
        told.append(f"{low} to {high} for {names[row.algorithm]} (worst rank {row.rank_low:.0f})")
    return joined(told)


def _between_claimed(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether any method tells the claim's own two algorithms apart."""
    rows = intervals[intervals["algorithm"].isin(CLAIMED)]
    ends = rows.groupby("method", sort=False).agg(low=("low", "max"), high=("high", "min"))
    apart = [named(str(method)) for method, row in ends.iterrows() if row["low"] > row["high"]]
    names = list(titles(CLAIMED, settings, "algorithm").values())
    if apart:
        return f"{joined(names)} are separated by {joined(apart)}."
    return f"No interval settles whether {' or '.join(names)} is better."
