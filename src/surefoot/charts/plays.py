"""Charts and findings. Plays of Bayesian agents."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.drawing import AGENTS, POINTS
from surefoot.charts.forms import interval_panels
from surefoot.charts.names import titles_of, with_titles
from surefoot.charts.selection import METHOD_TITLES, score_intervals
from surefoot.charts.sentences import briefly, capitalised, joined
from surefoot.charts.theme import headline
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.views import VIEWS


def agents_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """All agents with their scores and times, as the library's full table has it (section 5.2); the times of single
    decisions where the study keeps them. Without rows in a study that plays none."""
    if AGENTS not in tables:
        return None, pd.DataFrame({"title": pd.Series(dtype=object)})
    agents = tables[AGENTS].copy()
    for column in ("decision_mean", "decision_longest"):
        agents[column] = agents.get(column, np.nan)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        agents.insert(0, column, agents[kind].map(titles_of(agents[kind], settings, kind)))
    agents["variant_title"] = agents["variant"].str.replace("_", " ")
    return None, agents


VIEW_TITLES = dict(zip(VIEWS, ("game-theoretic score", "IQM", "probability of improvement"), strict=True))


def view_rows(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """All three views, or two where the scores of the game are not there.

    Columns view, view_title, algorithm, title, value, low, high, rank, runs, interval (of which kind), algorithms with
    the best score first; the score's interval is that of the first method that was asked for.
    """
    columns = ["view", "algorithm", "value", "low", "high", "rank", "runs", "interval"]
    both = tables["estimate/views"].assign(interval="percentile bootstrap")[columns]
    if POINTS in tables:
        scores = score_intervals(tables)
        scores = scores[scores["method"] == scores["method"].iloc[0]]
        scores = scores.assign(view=VIEWS[0], interval=scores["method"].map(METHOD_TITLES).fillna("none"))
        both = pd.concat([scores.sort_values("rank", kind="stable")[columns], both], ignore_index=True)
    order = {name: place for place, name in enumerate(both["algorithm"].unique())}
    both = both.assign(place=both["algorithm"].map(order), number=both["view"].map(VIEWS.index))
    both = both.sort_values(["number", "place"], kind="stable").drop(columns=["place", "number"])
    return with_titles(both, settings).assign(view_title=both["view"].map(VIEW_TITLES).to_numpy())


def views_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """A panel a view, a row an algorithm in each, in the order of the first view."""
    numbers = view_rows(tables, settings)
    tooltip = {"title": "algorithm", "value": "value", "low": "low", "high": "high", "rank": "rank"}
    tooltip |= {"interval": "interval"}
    best = numbers[numbers["view"] == numbers["view"].iloc[0]].sort_values("rank", kind="stable")["algorithm"]
    data = numbers.assign(panel=numbers["view_title"], rank=numbers["rank"].astype(int))
    chart = interval_panels(data, settings, list(dict.fromkeys([*best, *numbers["algorithm"]])), 3, None, tooltip)
    description = f"{capitalised(joined(list(numbers['view_title'].unique())))} of each algorithm, with intervals"
    return theme.finish(headline(chart, agreement(numbers)), description), numbers


def agreement(numbers: pd.DataFrame) -> str:
    """Whether the views put the same algorithm first, and how many algorithms have one rank in all of them.

    numbers : columns view, title, rank
    """
    best = numbers[numbers["rank"] == 1].groupby("view", sort=False)["title"].agg(lambda names: briefly(list(names)))
    views = {1: "The view puts", 2: "Both views put", 3: "All three views put"}[len(best)]
    told = f"{views} {best.iloc[0]} first"
    if best.nunique() > 1:
        each = "; ".join(f"{VIEW_TITLES[view]}: {name}" for view, name in best.items())
        told = f"The views put different algorithms first. {capitalised(each)}"
    of_algorithms = numbers.groupby("title", sort=False)["rank"]
    same = int((of_algorithms.nunique() == 1).sum())
    return f"{told}; {same} of {of_algorithms.ngroups} algorithms have the same rank in all"
