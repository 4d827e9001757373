"""Differences between each agent and the best one within a time limit, from the plays of this run.

Mean scores over all environments are compared, with simultaneous intervals.
"""

import math

import altair as alt
import numpy as np
import pandas as pd

from surefoot.bayesian.bayesian_registry import AGENTS as BAYESIAN_AGENTS
from surefoot.charts import theme
from surefoot.charts.forms import row_chart
from surefoot.charts.names import Titles, titles_of
from surefoot.charts.theme import headline
from surefoot.papers.castronovo2016.comparison import MEAN, best_sentence, scored_agents
from surefoot.rounding import duration
from surefoot.statistics.comparison.metric_differences import student_pairs
from surefoot.statistics.comparison.simultaneous_comparisons import compare_estimates, not_worse
from surefoot.statistics.reproduction.items import of_quantity

LIMITS = (0.01, 0.1, math.inf)
"""Limits on the online time of a trajectory, in seconds."""


def figure_losses_numbers(
    agents: pd.DataFrame,
    published: pd.DataFrame,
    *,
    horizon: int,
    titles: Titles = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Compute the difference between each algorithm's mean score and the best other one, for each limit in `LIMITS`.

    In each environment, an algorithm is represented by the setting with the best mean score within the limit. Scores
    are in percent of the best published score of their environment, and all environments have the same weight. Agents
    are compared as if they had played different MDPs; since they played the same ones, the intervals are conservative.

    Returns
    -------
    DataFrame
        Columns limit (in seconds), algorithm, title, estimate (the mean), difference (to the best other one), low, high
        (simultaneous for all pairs within a limit), tied (with the best) and runs (the smallest number of MDPs in an
        environment), with the best first. Algorithms without an agent within the limit in some environment are left
        out.
    """
    kept = (
        agents["variant"].isin(["", "as_published"]) & agents["estimate"].notna() & (agents["algorithm"] != "formula")
    )
    agents = agents[kept & agents["algorithm"].isin(BAYESIAN_AGENTS)].reset_index(drop=True)
    printed = of_quantity(published, MEAN)
    greatest = printed.groupby(scored_agents(printed["item"])["environment"])["published"].max()
    scale = 100.0 / agents["environment"].map(greatest)
    agents = agents.assign(estimate=agents["estimate"] * scale, error=agents["standard_error"] * scale).dropna(
        subset="estimate"
    )
    labels = titles_of(agents["algorithm"], titles)
    parts = [
        _compared(agents[agents["seconds_decision"] * horizon <= limit], confidence_level).assign(limit=limit)
        for limit in LIMITS
    ]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(title=table["algorithm"].map(labels))


def _compared(agents: pd.DataFrame, confidence_level: float) -> pd.DataFrame:
    """Compare each algorithm, at its best settings, to the best other algorithm; empty for fewer than two."""
    best = agents.sort_values("estimate", ascending=False, kind="stable").drop_duplicates(["algorithm", "environment"])
    places = agents["environment"].nunique()
    best = best.assign(variance=best["error"] ** 2 / places**2)
    best["fourth"] = best["variance"] ** 2 / (best["runs"] - 1)
    groups = best.groupby("algorithm", sort=False)
    sums = groups.agg({"estimate": "mean", "variance": "sum", "fourth": "sum", "runs": "min", "environment": "size"})
    sums = sums[sums["environment"] == places].sort_values("estimate", ascending=False, kind="stable").reset_index()
    columns = ["algorithm", "estimate", "difference", "low", "high", "tied", "runs"]
    if len(sums) < 2:
        return pd.DataFrame(columns=columns)
    values = sums["estimate"].to_numpy()
    errors = np.sqrt(sums["variance"].to_numpy())
    # Satterthwaite's degrees of freedom; a score without variance counts as known exactly.
    degrees = (sums["variance"] ** 2 / sums["fourth"]).fillna(1e6).to_numpy()
    pairs = student_pairs(values, errors, degrees)
    compared = compare_estimates(pairs, errors, degrees, confidence_level)
    best_other = np.where(np.eye(len(values), dtype=bool), np.inf, pairs.difference).argmin(axis=1)
    at = np.arange(len(values)), best_other
    differences = {"difference": pairs.difference[at], "low": compared.low[at], "high": compared.high[at]}
    differences["tied"] = not_worse(pairs, compared)
    return sums.assign(**differences)[columns]


def limit_title(limit: float) -> str:
    """Return the heading of a limit on the online time of a trajectory."""
    return "no limit" if math.isinf(limit) else f"at most {duration(limit)}"


def figure_losses(
    agents: pd.DataFrame,
    published: pd.DataFrame,
    *,
    horizon: int,
    titles: Titles = None,
    confidence_level: float = 0.95,
) -> alt.TopLevelMixin:
    """Draw the differences to the best other algorithm with intervals, one panel for each limit on online time."""
    numbers = figure_losses_numbers(
        agents, published, horizon=horizon, titles=titles, confidence_level=confidence_level
    )
    if numbers.empty:
        text = "No two agents of the paper played all environments."
        return theme.finish(theme.message(text), text)
    colours = theme.colours(dict(zip(numbers["algorithm"], numbers["title"], strict=True)))
    data = numbers[["title", "low", "high"]].assign(
        estimate=numbers["difference"],
        panel=numbers["limit"].map(limit_title),
        colour=numbers["title"].map(colours).where(numbers["tied"], theme.LINE),
    )
    order = list(dict.fromkeys(numbers.sort_values("difference", ascending=False, kind="stable")["title"]))
    axis = "difference to the best, %"
    chart = row_chart(data, order, axis, columns=3, shared=True, reference=0.0)
    free = numbers[numbers["limit"] == math.inf]
    finding = best_sentence(list(free["title"]), list(free["tied"]), "mean score without a limit on time")
    description = "Difference of each agent to the best other one, within limits on its online time"
    return theme.finish(headline(chart, finding), description)
