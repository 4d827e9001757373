"""Comparison of our scores with published ones, and with scores of the authors' program (Figures 9 and 13).

The quantity of an item is "mean", or "library" for scores of the authors' program at fixed parameters. Differences
have two known reasons. Each reason explains differences up to a limit that does not depend on our score, so it cannot
hide an error of ours.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from surefoot.bayesian.bayesian_registry import AGENTS as BAYESIAN_AGENTS
from surefoot.bayesian.bayesian_registry import DISCOUNT, HORIZON
from surefoot.papers.castronovo2016.orders import common_places, orders
from surefoot.rounding import joined
from surefoot.statistics.comparison.paired_plays import agent_names, read_agent_names
from surefoot.statistics.reproduction.items import item_parts, item_text, item_texts, of_quantity
from surefoot.statistics.reproduction.published_comparison import COLUMNS, compare, expected_greatest, judge

MEAN = "mean"
LIBRARY = "library"


def scored_agents(items: pd.Series) -> pd.DataFrame:
    """Split items into the columns case, experiment, environment (such as "accurate/gc"), algorithm and parameters."""
    parts = item_parts(items, "case", "experiment", "agent")
    parts.insert(2, "environment", item_texts(parts["case"], parts["experiment"]))
    return parts.join(read_agent_names(parts.pop("agent")))


def best_sentence(titles: Sequence[str], tied: Sequence[bool], what: str) -> str:
    """Return a sentence, without full stop, that names the best algorithm and all that are tied with it.

    Parameters
    ----------
    titles : sequence of str
        Names of the algorithms, the best first.
    tied : sequence of bool
        True for each algorithm that is tied with the best.
    what : str
        Criterion, such as "mean score".
    """
    named = [title for title, is_tied in zip(titles, tied, strict=True) if is_tied] or list(titles[:1])
    if len(named) > 1:
        return f"{joined(named)} are tied for the best {what}"
    return f"{joined(named)} has the best {what}"


CLAIM = "claim"
BEST_AGENTS = "best_agents"
ORDER_REASON = (
    "the machine decides which agents stay within a time limit, and here the best of them were found with only 4 to "
    "200 MDPs"
)
"""Reason why a list of best agents may not be reproduced."""

MEMORY = "undefined memory: the program copies half of the counts; with zeros for the others ours is {score:.2f}"
"""Reason for a difference that uninitialized memory of the authors' program may explain; `score` is our score if that
memory contains zeros.
"""

CORRECTED = ("corrected", "corrected_trials")
"""Columns of the record for corrected agents: scores and numbers of MDPs."""


def comparison(
    agents: pd.DataFrame, published: pd.DataFrame, bounds: pd.DataFrame | None = None, *, discount: float, horizon: int
) -> pd.DataFrame:
    """Compare this run with the published scores, in the published order; columns as in `compare`.

    Our scores come from the variant as_published. The table is empty if the study has a different discount or horizon.
    """
    items = {name: item_texts(name, agents["environment"], agent_names(agents)) for name in (MEAN, LIBRARY)}
    ours = pd.concat([agents.assign(item=items[name]) for name in (MEAN, LIBRARY)])
    ours = ours[ours["variant"].isin(["", "as_published"])].rename(columns={"estimate": "ours"}).dropna(subset="ours")
    ours = ours[["item", "ours", "standard_error", "runs"]]
    # With another discount or horizon, the task is another one.
    is_published_task = discount == DISCOUNT and horizon == HORIZON
    if not is_published_task or not published["item"].isin(ours["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in COLUMNS})
    half_copied = agents.assign(item=items[MEAN])[agents["variant"] == "half_copied"]
    scores = judged(of_quantity(published, MEAN, LIBRARY), ours, half_copied.set_index("item")["estimate"])
    return _with_claims(scores, published, claim_items(bounds))


def _with_claims(scores: pd.DataFrame, published: pd.DataFrame, claims: pd.DataFrame) -> pd.DataFrame:
    """Append the comparison of the claims (columns item and ours, 1 or 0) to the comparison of the scores."""
    if not claims["item"].isin(published["item"]).any():
        return scores
    printed = of_quantity(published, CLAIM)[["item", "published", "tolerance"]]
    ours = claims.assign(standard_error=np.nan, runs=np.nan, reason=ORDER_REASON, allowed=1.0)
    return pd.concat([scores, compare(printed, ours)], ignore_index=True)


def claim_items(bounds: pd.DataFrame | None) -> pd.DataFrame:
    """Check which lists of best agents in the paper's text are also ours, in the same order.

    Returns
    -------
    DataFrame
        Columns item and ours (1 or 0).
    """
    rows = []
    if bounds is not None:
        for environment, named, ours in orders(bounds):
            matched = {place for place, _ in common_places(named, ours)}
            for place in range(len(named)):
                item = item_text(CLAIM, BEST_AGENTS, *environment.split("/"), str(place + 1))
                rows.append({"item": item, "ours": float(place in matched)})
    return pd.DataFrame(rows, columns=["item", "ours"])


def record_comparison(published: pd.DataFrame, record: pd.DataFrame | None = None) -> pd.DataFrame:
    """Judge the recorded scores and claims of the large run by the current rules, without playing again.

    The columns are those returned by `compare`, and `CORRECTED`. Items that are not among the published numbers are
    left out. The table is empty if there is no record.
    """
    printed = of_quantity(published, MEAN, LIBRARY)
    if record is None or not record["item"].isin(printed["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in (*COLUMNS, *CORRECTED)})
    rows = record[record["item"].isin(printed["item"])]
    ours = rows[["item", "ours"]].assign(standard_error=rows["ours_standard_error"], runs=rows["trials"])
    recorded = rows.set_index("item").reindex(columns=["half_copied", *CORRECTED])
    scores = judged(printed, ours, recorded["half_copied"])
    claims = of_quantity(record, CLAIM)[["item", "ours"]]
    verdicts = _with_claims(scores, published, claims).set_index("item").join(recorded[list(CORRECTED)])
    return verdicts.loc[[item for item in record["item"] if item in verdicts.index]].reset_index()


def yardsticks(published: pd.DataFrame) -> pd.Series:
    """Return the smallest difference that matters for each published score, by item.

    It is the standard deviation of the paper's scores of all agents in the same environment, since the purpose of
    scores is to show how agents differ.
    """
    return _of_the_paper(published, "std")


def _of_the_paper(published: pd.DataFrame, statistic: str) -> pd.Series:
    published = of_quantity(published, MEAN, LIBRARY)
    scores = published.assign(environment=scored_agents(published["item"])["environment"])
    paper = of_quantity(scores, MEAN).groupby("environment")["published"].agg(statistic)
    return scores["environment"].map(paper).set_axis(published["item"])


def raised_by_selection(published: pd.DataFrame) -> pd.Series:
    """Return by how much selection is expected to raise each published score.

    It is the expected excess of the greatest of `choices` estimates of the same mean, given their standard error, and 0
    without selection.
    """
    greatest = [expected_greatest(int(count)) if count > 1 else 0.0 for count in published["choices"].astype(float)]
    return greatest * published["standard_error"].astype(float).fillna(0.0)


def judged(published: pd.DataFrame, ours: pd.DataFrame, half_copied: pd.Series) -> pd.DataFrame:
    """Compare published scores with ours, with verdicts and known reasons; columns as in `compare`.

    The standard deviation of a score between MDPs is taken from the published interval, not from our scores, for three
    reasons: an error that increases the variance of our scores must not widen the tolerance; few MDPs rarely include a
    rare, large score; and both standard deviations are equal if the published score is reproducible. For scores
    published without an interval, our standard deviation is used.

    First, if a published score is the greatest of several means, our score may be lower, by at most the tolerance plus
    the excess in `raised_by_selection`. Second, if the program read uninitialized memory, the
    published score may lie between ours and the score of the variant half_copied, which has zeros there. The allowed
    difference is then the distance of the two variants plus a tolerance, and at most the range of the published scores
    in that environment. This applies only to agents with this variant.

    Parameters
    ----------
    published : DataFrame
        Columns item, published, runs, standard_error, choices, reason and the columns that `compare` takes.
    ours : DataFrame
        Columns item, ours, standard_error, runs.
    half_copied : Series
        Our scores of that variant by item; empty if it was not played.
    """
    spread = published["standard_error"].astype(float) * np.sqrt(published["runs"].astype(float))
    matters = yardsticks(published)
    with_spreads = published.drop(columns="reason")
    with_spreads = with_spreads.assign(standard_deviation=spread, matters=published["item"].map(matters))
    table = compare(with_spreads, ours)
    published_rows = published.set_index("item").loc[table["item"]].reset_index()
    greatest, least = (table["item"].map(_of_the_paper(published, name)) for name in ("max", "min"))
    difference = table["ours"] - table["published"]
    selection = table["tolerance"] + raised_by_selection(published_rows)
    has_reason = published_rows["reason"].fillna("").astype(str) != ""
    selects = has_reason & (difference < 0) & (-difference <= selection)
    reads_unfilled_memory = scored_agents(table["item"])["algorithm"].map(
        lambda name: name in BAYESIAN_AGENTS and "half_copied" in BAYESIAN_AGENTS[name].variants
    )
    zeros = table["item"].map(half_copied).astype(float).where(reads_unfilled_memory)
    moved = table["published"] - zeros
    remembers = ~selects & moved.notna()
    reason = published_rows["reason"].where(has_reason & ~remembers, "")
    reason = reason.mask(remembers, [MEMORY.format(score=score) for score in zeros])
    side = pd.Series(np.where(has_reason & ~remembers, "lower", ""), index=table.index)
    side = side.mask(remembers, np.select([moved > 0, moved < 0], ["higher", "lower"], ""))
    memory = (table["tolerance"] + moved.abs()).clip(upper=greatest - least)
    allowed = memory.where(remembers, selection.where(has_reason))
    table = table.assign(reason=reason, allowed=allowed, side=side, matters=table["item"].map(matters))
    return judge(table)[list(COLUMNS)]
