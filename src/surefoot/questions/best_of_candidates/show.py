"""How reports of the best of several runs are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.marked_curves import marked_curves
from surefoot.charts.selection import rounded, table_or_empty, titles, with_titles
from surefoot.charts.sentences import counted, joined
from surefoot.result_tables import Tables
from surefoot.statistics.game.exploits import AS_RUN, reversals

TABLE = "aggregate/best_of_candidates"

NOT_ASKED = "This study does not ask what reports of the best of several trials would claim."


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Expected best of k trials of each algorithm by k, a panel an environment; k = 1 is complete data collection.

    Columns candidates, environment, environment_title, algorithm, title, value, rank.
    """
    description = "Expected best of k trials of each algorithm in each environment, by k"
    columns = ["candidates", "environment", "algorithm", "value", "rank"]
    numbers = with_titles(table_or_empty(tables, TABLE, columns), settings)
    if numbers.empty:
        return theme.finish(theme.message(NOT_ASKED), description), numbers
    names = dict(zip(numbers["algorithm"], numbers["title"], strict=True))
    panels = list(dict.fromkeys(numbers["environment_title"]))
    counts = [str(k) for k in dict.fromkeys(numbers["candidates"])]
    data = rounded(numbers.assign(k=numbers["candidates"].astype(str))[["k", "environment_title", "title", "value"]])
    across = min(3, len(panels))
    base = alt.Chart().encode(
        x=alt.X("k:O", sort=counts, title="best of this many trials", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4)),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("k:O", title="best of"),
            alt.Tooltip("value:Q", title="expected average return"),
        ],
    )
    chart = (
        marked_curves(base, data, names, 1.3, 22)
        .properties(width=(theme.WIDTH - 60) // across - 45, height=130)
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=across)
        .resolve_scale(y="independent")
        .resolve_axis(x="independent", y="independent")
    )
    said = finding(tables[TABLE], settings)
    return theme.finish(headline(chart, said), f"{said} {description}."), numbers


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """In how many environments a report of the best of the most trials ranks otherwise than one of all trials."""
    table = table[table["environment"].isin(table.loc[table["candidates"] == table["candidates"].max(), "environment"])]
    fewest, most = int(table["candidates"].min()), int(table["candidates"].max())
    if fewest == most:
        return f"Only one number of trials is asked for, {most}: there is nothing to compare."
    ends = table[table["candidates"].isin((fewest, most))]
    scenario = np.where(ends["candidates"] == fewest, AS_RUN, "tuned")
    turned = reversals(ends.assign(scenario=scenario, normalization=ends["environment"])).set_index("normalization")
    leaders = ends[ends["rank"] == 1].groupby(["candidates", "environment"])["algorithm"].agg(set)
    places = list(turned.index)
    changed = [place for place in places if turned.loc[place, "reversed_pairs"] > 0]
    other = [place for place in places if not leaders[fewest, place] & leaders[most, place]]
    count = table["algorithm"].nunique()
    what = "the mean of all trials" if fewest == 1 else f"the best of {fewest}"
    where = "" if not other else f"; in {_places(other, settings)}, another algorithm comes first"
    pairs = int(turned["reversed_pairs"].sum())
    all_pairs = count * (count - 1) // 2 * len(places)
    every = "all" if len(changed) == len(places) > 1 else f"{len(changed)} of the"
    return (
        f"Compared with {what}, the best of {most} trials reverses {pairs} of {counted(all_pairs, 'pair')} of "
        f"algorithms, in {every} {counted(len(places), 'environment')} with as many trials{where}."
    )


def _places(environments: list[str], settings: Mapping[str, Any]) -> str:
    if len(environments) > 3:
        return str(len(environments))
    names = titles(environments, settings, "environment")
    return joined([names[name] for name in environments])
