"""The environments (Table 5), and mean returns and ranks in each (Appendix I).

They are of the large run where it has more trials than this one.
"""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import interval_bars, published_rings, row_marks, value_axis
from surefoot.charts.selection import mean_intervals, published_values, rounded, with_titles
from surefoot.papers.jordan2020.comparison import record_means
from surefoot.papers.jordan2020.evidence import POINTS
from surefoot.result_tables import Tables
from surefoot.simulation.registry import ENVIRONMENTS
from surefoot.statistics.reproduction.comparison import items
from surefoot.statistics.reproduction.items import item_parts, item_texts

REACH = 2
"""How far the bars reach to each side, in standard errors."""
_PRINTED = {"mean": "published", "mean_low": "published_low", "mean_high": "published_high"} | {
    f"mean_{rank}": f"published_{rank}" for rank in ("rank", "rank_low", "rank_high")
}
_COLUMNS = 3
_ROW = 15  # pixels an algorithm


def table_means(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Mean return of each algorithm in each environment of this study or of the record, best first, with the published
    mean and its rank.

    Columns environment, environment_title, algorithm, title, value, standard_error, trials, rank, source ("large run"
    or "this run", whichever has more trials), and published, published_low, published_high and the three published
    ranks, which are empty where the paper has none.
    """
    table = mean_intervals(tables)[["environment", "algorithm", "value"]]
    record = record_means(tables).set_index("item")
    of_record = item_parts(record.index.to_series(), "environment", "algorithm")
    of_record = of_record[of_record["algorithm"].isin(table["algorithm"])]
    table = pd.concat([table, of_record]).drop_duplicates(["environment", "algorithm"], ignore_index=True)
    named = item_texts("mean", table["environment"], table["algorithm"])
    own = items(tables[POINTS]).set_index("item")
    error, trials = named.map(own["standard_error"]).astype(float), named.map(own["runs"]).fillna(0)
    table = table.assign(standard_error=error, trials=trials, source="this run")
    more = named.map(record["runs"]).fillna(0) > table["trials"]
    for column, name in (("value", "ours"), ("standard_error", "standard_error"), ("trials", "runs")):
        table[column] = table[column].mask(more, named.map(record[name]))
    table["source"] = table["source"].mask(more, "large run")
    table["rank"] = table.groupby("environment")["value"].rank(method="min", ascending=False).astype("Int64")
    for name, column in _PRINTED.items():
        published = published_values(tables["published"], name, ["environment", "algorithm"])
        published = published.rename(columns={"value": column})
        table = table.merge(published, on=["environment", "algorithm"], how="left", validate="1:1")
    place = {name: number for number, name in enumerate(dict.fromkeys(table["environment"]))}
    table = table.assign(place=table["environment"].map(place)).sort_values(["place", "rank"], kind="stable")
    return None, with_titles(table.drop(columns="place"), settings)


def figure_means(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The means of `table_means` with bars of `REACH` in a panel an environment; rings are published ones."""
    _, numbers = table_means(tables, settings)
    reach = REACH * numbers["standard_error"]
    numbers = numbers.assign(low=numbers["value"] - reach, high=numbers["value"] + reach)
    columns = ["environment_title", "title", "value", "low", "high", "published", "trials"]
    names = dict(zip(numbers["algorithm"], numbers["title"], strict=True))
    names = {name: names[name] for name in tables[POINTS]["algorithm"].dropna().unique()}
    scales = theme.scales(names)
    tooltip = theme.tooltip(
        title="algorithm", environment_title="environment", value="mean return", published="published", trials="trials"
    )
    base, x = row_marks(list(names.values()), scales.colour, tooltip), value_axis(None, 3)
    points = base.mark_point(filled=True, size=38, opacity=1).encode(
        x=alt.X("value:Q", **x), shape=alt.Shape("title:N", scale=scales.shape, legend=None)
    )
    layers = [interval_bars(base, x, 6, 0.5), points, published_rings(base, x, 90)]
    width = (theme.WIDTH - 110 - 40 * (_COLUMNS - 1)) // _COLUMNS
    chart = (
        alt.layer(*layers, data=rounded(numbers[columns]))
        .properties(width=width, height=_ROW * len(names))
        .facet(
            alt.Facet("environment_title:N", sort=list(dict.fromkeys(numbers["environment_title"])), title=None),
            columns=_COLUMNS,
        )
        .resolve_scale(x="independent")
        .resolve_axis(x="independent")
        # Once, and not below each of many panels.
        .properties(title=alt.Title("mean return", orient="bottom", anchor="middle", fontWeight="normal"))
    )
    described = "Mean return of each algorithm in each environment, with the published means"
    return theme.finish(chart, described), numbers


def table_5(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The environments and the episodes of a trial (Table 5), with the printed number of episodes.

    Columns environment, title, state_space, episodes, published, and trials: how many of an algorithm this study has,
    or from how many to how many; none where it does not have the environment.
    """
    printed = published_values(tables["published"], "episodes", ["environment"]).set_index("environment")["value"]
    sizes = tables["collect/runs"].groupby(["environment", "algorithm"]).size()
    rows = []
    for name, environment in ENVIRONMENTS.items():
        row: dict[str, Any] = {
            "environment": name,
            "title": environment.title,
            "state_space": environment.kind,
        }
        row |= {"episodes": environment.episodes, "published": printed.get(name)}
        rows.append(row | {"trials": _span(sizes[name]) if name in sizes else None})
    return None, pd.DataFrame(rows)


def _span(sizes: pd.Series) -> str:
    low, high = sizes.min(), sizes.max()
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
