"""Why a score of ours may lie off a published one, and by how much at most.

Two reasons are known. Each has a limit that does not follow from our own score, so that no fault of ours can hide
behind it.
"""

import numpy as np
import pandas as pd

from surefoot.statistics.reproduction import COLUMNS, STANDARD_ERRORS, compare, expected_greatest
from surefoot.statistics.verdicts import judge

MEMORY = "undefined memory: the program copies half of the counts; with zeros for the others ours is {score:.2f}"
MEMORY_SCORE = r"^undefined memory: .* ours is ([-+.\d]+)$"
"""The reason for a score that unfilled memory of the program explains, with a place for our other score."""


JUDGED = (*COLUMNS, "runs")
"""Columns of the table that `judged` makes."""


def published_ranges(published: pd.DataFrame) -> pd.Series:
    """For each published score, the distance of the best published agent from the worst in the same environment: the
    difference that would change the paper's answer there, and so the yardstick of what a comparison has to notice."""
    scores = published.assign(environment=environments(published["item"]))
    paper = scores[scores["item"].str.startswith("mean/")].groupby("environment")["published"]
    return scores["environment"].map(paper.max() - paper.min()).set_axis(published["item"])


def environments(items: pd.Series) -> pd.Series:
    """The environment, such as "accurate/gc", in the names of published scores."""
    return items.str.extract(r"^[^/]+/([^/]+/[^/]+)/")[0]


def raised_by_selection(published: pd.DataFrame) -> pd.Series:
    """By how much the greatest of `choices` equal means, of this `standard_error`, may be expected to exceed them; 0
    where nothing was selected."""
    greatest = [expected_greatest(int(count)) if count > 1 else 0.0 for count in published["choices"].astype(float)]
    return greatest * published["standard_error"].astype(float).fillna(0.0)


def with_reasons(table: pd.DataFrame, published: pd.DataFrame, half_copied: pd.DataFrame) -> pd.DataFrame:
    """The rows of `reproduction.compare` judged with the reasons that are known.

    That a published score is the greatest of several means explains that ours is lower, by as much more than the
    tolerance as one may expect of the greatest of so many equal means. That the program read memory which it never
    filled explains what lies between our score of the variant half_copied and that of as_published, with the tolerance
    of the former; but never more than the whole range of the published scores in that environment.

    Parameters
    ----------
    table : as `compare` makes it
    published : columns item, published, standard_error, choices, reason
    half_copied : our scores of that variant, columns value and standard_error by item; without rows where none played
    """
    given = published.set_index("item").loc[table["item"]].reset_index()
    ranges = table["item"].map(published_ranges(published))
    difference = table["ours"] - table["published"]
    selection = table["tolerance"] + raised_by_selection(given)
    known = given["reason"].fillna("").astype(str) != ""
    selects = known & (difference < 0) & (-difference <= selection)
    other, other_error = (table["item"].map(half_copied[name]).astype(float) for name in ("value", "standard_error"))
    between = (np.sign(difference) * (table["ours"] - other)).clip(lower=0.0)
    noise = np.hypot(other_error, given["standard_error"].astype(float).fillna(0.0))
    memory = (between + STANDARD_ERRORS * noise).clip(upper=ranges)
    remembers = ~selects & memory.notna()
    reason = given["reason"].where(known & ~remembers, "")
    reason = reason.mask(remembers, [MEMORY.format(score=score) for score in other])
    side = pd.Series(np.where(known & ~remembers, "lower", ""), index=table.index)
    allowed = memory.where(remembers, selection.where(known))
    return judge(table.assign(reason=reason, allowed=allowed, side=side, matters=ranges))


def judged(published: pd.DataFrame, ours: pd.DataFrame, half_copied: pd.DataFrame) -> pd.DataFrame:
    """Published scores beside ours, with the verdicts of `with_reasons`; columns as of `compare`, and runs.

    The spread of a score from one MDP to the next is taken from the published interval, not from our scores: a fault
    that scatters ours must not widen what is tolerated, few MDPs rarely show a rare, great score, and both spreads are
    the same if the published score is to be reproduced. A score that was published without any spread has ours.
    """
    spread = published["standard_error"].astype(float) * np.sqrt(published["runs"].astype(float))
    known = published.drop(columns="reason").assign(standard_deviation=spread)
    table = with_reasons(compare(known, ours), published, half_copied)
    table["runs"] = table["item"].map(ours.set_index("item")["runs"])
    return table[list(JUDGED)]
