"""What aggregate scores and their intervals say of the paper's claim: Sarsa-Parl2 and Q-Parl2 lie above all others."""

from typing import NamedTuple

import pandas as pd

from surefoot.charts.selection import recorded_scores, score_intervals
from surefoot.papers.jordan2020.selection import scores_are_of_published_selection
from surefoot.result_tables import Tables

CLAIMED = ("sarsa_parl2", "q_parl2")
"""The algorithms that are better than all others (section 6.3 of the paper)."""


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
