"""Published scores, and those of the authors' program at fixed parameters, beside ours (Figures 9 and 13).

Their quantity is mean, or library where the authors' program made them. Two reasons are known why a score of ours may
lie off. Each has a limit that does not follow from our own score, so that no fault of ours can hide behind it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.bayesian.registry import AGENTS as BAYESIAN_AGENTS
from surefoot.bayesian.registry import DISCOUNT, HORIZON
from surefoot.charts.drawing import AGENTS, BOUNDS
from surefoot.papers.castronovo2016.orders import common_places, orders
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import agent_names, read_agent_names
from surefoot.statistics.reproduction.comparison import COLUMNS, compare, expected_greatest, judge
from surefoot.statistics.reproduction.items import item_parts, item_text, item_texts, of_quantity

MEAN, LIBRARY = "mean", "library"


def scored_agents(items: pd.Series) -> pd.DataFrame:
    """What items are of: columns case, experiment, environment, such as "accurate/gc", algorithm and parameters."""
    parts = item_parts(items, "case", "experiment", "agent")
    parts.insert(2, "environment", item_texts(parts["case"], parts["experiment"]))
    return parts.join(read_agent_names(parts.pop("agent")))


CLAIM, BEST_AGENTS = "claim", "best_agents"
ORDER_REASON = "which agents keep a bound depends on the machine, and who is best there on 4 to 200 MDPs"
"""Why a list of best agents may not come out here."""

MEMORY = "undefined memory: the program copies half of the counts; with zeros for the others ours is {score:.2f}"
"""The reason for a score that unfilled memory of the program explains, with a place for our other score."""

CORRECTED = ("corrected", "corrected_trials")
"""What the record keeps of corrected agents: their scores, and on how many MDPs."""


def comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """This run's comparison: each published score that was played, in the published order; columns as of `compare`.

    Ours are those of the variant as_published; none where the study has another discount or horizon.
    """
    published, agents = tables["published"], tables[AGENTS]
    source = next(source for source in settings["sources"].values() if source["kind"] == "plays")
    items = {name: item_texts(name, agents["environment"], agent_names(agents)) for name in (MEAN, LIBRARY)}
    ours = pd.concat([agents.assign(item=items[name]) for name in (MEAN, LIBRARY)])
    ours = ours[ours["variant"].isin(["", "as_published"])].rename(columns={"value": "ours"}).dropna(subset="ours")
    ours = ours[["item", "ours", "standard_error", "runs"]]
    # Scores of another discount or horizon are of another task.
    is_published_task = source["discount"] == DISCOUNT and source["horizon"] == HORIZON
    if not is_published_task or not published["item"].isin(ours["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in COLUMNS})
    half_copied = agents.assign(item=items[MEAN])[agents["variant"] == "half_copied"]
    scores = judged(of_quantity(published, MEAN, LIBRARY), ours, half_copied.set_index("item")["value"])
    return _with_claims(scores, published, claim_items(tables))


def _with_claims(scores: pd.DataFrame, published: pd.DataFrame, claims: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison of the scores with that of the claims, whose columns are item and ours (1 or 0)."""
    if not claims["item"].isin(published["item"]).any():
        return scores
    printed = of_quantity(published, CLAIM)[["item", "published", "tolerance"]]
    known = claims.assign(standard_error=np.nan, runs=np.nan, reason=ORDER_REASON, allowed=1.0)
    return pd.concat([scores, compare(printed, known)], ignore_index=True)


def claim_items(tables: Tables) -> pd.DataFrame:
    """Return whether each list of best agents that the paper's text names comes out here, in the paper's order.

    Returns
    -------
    DataFrame
        Columns item and ours (1 or 0).
    """
    rows = []
    if BOUNDS in tables:
        for environment, named, ours in orders(tables):
            found = {place for place, _ in common_places(named, ours)}
            for place in range(len(named)):
                item = item_text(CLAIM, BEST_AGENTS, *environment.split("/"), str(place + 1))
                rows.append({"item": item, "ours": float(place in found)})
    return pd.DataFrame(rows, columns=["item", "ours"])


def record_comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The scores and claims of the large run's record with the verdicts of today's rule; nothing is played again.

    Columns as of `compare`, and `CORRECTED`. Rows of what is not among the published numbers are left out; there are
    none without a record.
    """
    published = of_quantity(tables["published"], MEAN, LIBRARY)
    if "record" not in tables or not tables["record"]["item"].isin(published["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in (*COLUMNS, *CORRECTED)})
    record = tables["record"][tables["record"]["item"].isin(published["item"])]
    ours = record[["item", "ours"]].assign(standard_error=record["ours_standard_error"], runs=record["trials"])
    recorded = record.set_index("item").reindex(columns=["half_copied", *CORRECTED])
    scores = judged(published, ours, recorded["half_copied"])
    claims = of_quantity(tables["record"], CLAIM)[["item", "ours"]]
    verdicts = _with_claims(scores, tables["published"], claims).set_index("item").join(recorded[list(CORRECTED)])
    return verdicts.loc[[item for item in tables["record"]["item"] if item in verdicts.index]].reset_index()


def yardsticks(published: pd.DataFrame) -> pd.Series:
    """For each published score, by item, the smallest difference that matters: the standard deviation of the paper's
    scores of all agents in the same environment, since what a score has to tell is how agents differ."""
    return _of_the_paper(published, "std")


def _of_the_paper(published: pd.DataFrame, statistic: str) -> pd.Series:
    published = of_quantity(published, MEAN, LIBRARY)
    scores = published.assign(environment=scored_agents(published["item"])["environment"])
    paper = of_quantity(scores, MEAN).groupby("environment")["published"].agg(statistic)
    return scores["environment"].map(paper).set_axis(published["item"])


def raised_by_selection(published: pd.DataFrame) -> pd.Series:
    """By how much the greatest of `choices` equal means, of this `standard_error`, may be expected to exceed them; 0
    where nothing was selected."""
    greatest = [expected_greatest(int(count)) if count > 1 else 0.0 for count in published["choices"].astype(float)]
    return greatest * published["standard_error"].astype(float).fillna(0.0)


def judged(published: pd.DataFrame, ours: pd.DataFrame, half_copied: pd.Series) -> pd.DataFrame:
    """Published scores beside ours, with verdicts and the reasons that are known; columns as of `compare`.

    The spread of a score from one MDP to the next is taken from the published interval, not from our scores: a fault
    that scatters ours must not widen what is tolerated, few MDPs rarely show a rare, great score, and both spreads are
    the same if the published score is to be reproduced. A score that was published without any spread has ours.

    That a published score is the greatest of several means explains that ours is lower, by as much more than the
    tolerance as one may expect of the greatest of this many equal means. That the program read memory which it never
    filled explains that the published score lies between ours and that of the variant half_copied, which has zeros
    there: ours may lie as far from it as the zeros, and a tolerance farther, on the other side; but never farther than
    the range of the published scores in that environment. Only agents that have this variant read such memory.

    Parameters
    ----------
    published : columns item, published, runs, standard_error, choices, reason and those that `compare` takes
    ours : columns item, ours, standard_error, runs
    half_copied : our scores of that variant by item; empty where none played
    """
    spread = published["standard_error"].astype(float) * np.sqrt(published["runs"].astype(float))
    matters = yardsticks(published)
    known = published.drop(columns="reason").assign(standard_deviation=spread, matters=published["item"].map(matters))
    table = compare(known, ours)
    given = published.set_index("item").loc[table["item"]].reset_index()
    greatest, least = (table["item"].map(_of_the_paper(published, name)) for name in ("max", "min"))
    difference = table["ours"] - table["published"]
    selection = table["tolerance"] + raised_by_selection(given)
    has_reason = given["reason"].fillna("").astype(str) != ""
    selects = has_reason & (difference < 0) & (-difference <= selection)
    reads_unfilled_memory = scored_agents(table["item"])["algorithm"].map(
        lambda name: name in BAYESIAN_AGENTS and "half_copied" in BAYESIAN_AGENTS[name].variants
    )
    zeros = table["item"].map(half_copied).astype(float).where(reads_unfilled_memory)
    moved = table["published"] - zeros
    remembers = ~selects & moved.notna()
    reason = given["reason"].where(has_reason & ~remembers, "")
    reason = reason.mask(remembers, [MEMORY.format(score=score) for score in zeros])
    side = pd.Series(np.where(has_reason & ~remembers, "lower", ""), index=table.index)
    side = side.mask(remembers, np.select([moved > 0, moved < 0], ["higher", "lower"], ""))
    memory = (table["tolerance"] + moved.abs()).clip(upper=greatest - least)
    allowed = memory.where(remembers, selection.where(has_reason))
    table = table.assign(reason=reason, allowed=allowed, side=side, matters=table["item"].map(matters))
    return judge(table)[list(COLUMNS)]
