"""Which agent is best: by its scores, whatever time it takes, and for a budget of time."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import interval_bars, published_rings, row_marks, value_axis
from surefoot.charts.selection import rounded, titles
from surefoot.papers.castronovo2016.bounds import bounded_cells
from surefoot.papers.castronovo2016.comparison import MEAN, scored_agents
from surefoot.papers.castronovo2016.scores import larger_comparison, named
from surefoot.result_tables import Tables
from surefoot.rounding import duration
from surefoot.statistics.comparison.plays import NORMAL_QUANTILE
from surefoot.statistics.reproduction.items import of_quantity

_FEWEST = 2  # agents of an environment, else there is nothing to be best of
_COLUMNS = 3
_BEST, _WORSE = "best, or not significantly worse", "worse"
_WITHOUT, _WITH = "before OPPS-DS has learnt", "with any offline time"


def best_scores(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The paper's agents on the MDPs of the large run or of this one, whichever has more of them.

    `among_best` are those that do not lie below the best of their environment by more than 1.96 standard errors of the
    difference. Agents play the same MDPs, so the errors are taken for larger than they are: an agent is called worse
    only where that is sure.

    Returns
    -------
    columns environment, environment_title, algorithm, title, agent, value, low, high (of 95 % intervals), runs,
    published, among_best
    """
    rows = of_quantity(larger_comparison(tables, settings), MEAN).reset_index(drop=True)
    names = scored_agents(rows["item"])[["environment", "algorithm"]]
    published = tables["published"].set_index("item")
    spread = rows["item"].map(published["standard_error"]).fillna(0.0) * rows["item"].map(published["runs"]) ** 0.5
    error = spread.astype(float) / rows["runs"].astype(float) ** 0.5
    table = names.join(named(rows["item"], settings)).assign(value=rows["ours"].astype(float), error=error)
    table = table.assign(runs=rows["runs"], published=rows["published"])
    table["low"], table["high"] = (table["value"] + side * NORMAL_QUANTILE * error for side in (-1, 1))
    best = table.loc[table.groupby("environment", sort=False)["value"].idxmax()].set_index("environment")
    leader, leader_error = (table["environment"].map(best[name]) for name in ("value", "error"))
    reach = NORMAL_QUANTILE * (error**2 + leader_error**2) ** 0.5
    among = (leader - table["value"] <= reach) | (leader == table["value"])
    order = {name: place for place, name in enumerate(settings["environment_titles"])}
    table = table.assign(among_best=among, place=table["environment"].map(order))
    return table.sort_values("place", kind="stable", ignore_index=True).drop(columns=["place", "parameters", "error"])


def figure_best(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The scores of `best_scores`, a panel an environment; rings are the published scores, diamonds the best."""
    numbers = best_scores(tables, settings)
    if numbers.empty:
        text = "No agent of the paper was played, and no record of a large run is here."
        return theme.finish(theme.message(text), text), numbers
    shown = titles(numbers["algorithm"], settings, "algorithm")
    scales = theme.scales(shown, settings["algorithm_titles"])
    marks = numbers["among_best"].map({True: _BEST, False: _WORSE})
    data = rounded(numbers.assign(standing=marks)).drop(columns=["environment", "algorithm"])
    tooltip = theme.tooltip(
        agent="agent",
        environment_title="environment",
        value="score",
        published="published",
        runs="MDPs",
        standing="standing",
    )
    base, x = row_marks(list(shown.values()), scales.colour, tooltip), value_axis("mean return", 4)
    legend = alt.Legend(orient="top", title=None, symbolSize=80, symbolFillColor=theme.NEUTRAL)
    points = base.mark_point(filled=True, opacity=1).encode(
        x=alt.X("value:Q", **x),
        size=alt.Size(
            "among_best:N",  # not "standing", whose legend the missing one here would take away
            scale=alt.Scale(domain=[True, False], range=[130, 35]),
            legend=None,
        ),
        shape=alt.Shape(
            "standing:N",
            scale=alt.Scale(domain=[_BEST, _WORSE], range=["diamond", "circle"]),
            legend=legend,
        ),
    )
    layers = [interval_bars(base, x, 6, 0.4), points, published_rings(base, x, 60)]
    panels = list(dict.fromkeys(numbers["environment_title"]))
    width = (theme.WIDTH - theme.LABEL - 45 * (_COLUMNS - 1)) // _COLUMNS
    chart = (
        alt.layer(*layers, data=data)
        .properties(width=width, height=22 * len(shown))
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=_COLUMNS)
        .resolve_scale(x="independent")
        .resolve_axis(x="independent")
    )
    return theme.finish(chart, "Mean return of each agent in each environment, with the published ones"), numbers


def budget_counts(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """In how many environments an algorithm is among the best within a bound on the time of a trajectory.

    Beyond the greatest bound of an environment, which all of its agents keep, its lists stay the same.

    Returns
    -------
    columns offline ("before OPPS-DS has learnt": at the greatest bound at which that is nowhere among the best; or
    "with any offline time"), milliseconds_online, algorithm, title, count, environments (how many there are),
    share (of all agents, how many keep the bound)
    """
    cells = bounded_cells(tables)
    bounds = sorted(cells["milliseconds_online"].unique())
    places = cells["environment"].nunique()
    every = cells.groupby("environment")["agents"].max().sum()
    has_offline = cells["names"].map(lambda names: "opps_ds" in names.split(", "))
    learnt = cells.loc[has_offline, "milliseconds_offline"].min() if has_offline.any() else None
    rows = []
    for title, limit in ((_WITHOUT, learnt), (_WITH, None)):
        if title == _WITHOUT and learnt is None:
            continue
        allowed = cells if limit is None else cells[cells["milliseconds_offline"] < limit]
        for bound in bounds:
            found: dict[str, int] = {}
            for _, group in allowed[allowed["milliseconds_online"] <= bound].groupby("environment"):
                widest = group.sort_values(["milliseconds_offline", "milliseconds_online"]).iloc[-1]
                for name in filter(None, widest["names"].split(", ")):
                    found[name] = found.get(name, 0) + 1
            within = cells[cells["milliseconds_online"] <= bound].groupby("environment")["agents"].max().sum()
            rows += [(title, bound, name, count, places, within / every) for name, count in found.items()]
    columns = ["offline", "milliseconds_online", "algorithm", "count", "environments", "share"]
    table = pd.DataFrame(rows, columns=columns)
    shown = titles(table["algorithm"], settings, "algorithm")
    table.insert(3, "title", table["algorithm"].map(shown))
    return table


def figure_budget(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The counts of `budget_counts` as a table of coloured cells, a panel without and one with OPPS-DS."""
    numbers = budget_counts(tables, settings)
    if numbers.empty:
        text = "No agent was played under bounds on its time."
        return theme.finish(theme.message(text), text), numbers
    numbers["bound"] = [duration(bound / 1e3) for bound in numbers["milliseconds_online"]]
    order = list(dict.fromkeys(numbers.sort_values("milliseconds_online")["bound"]))
    best = numbers.groupby("title")["count"].sum().sort_values(ascending=False, kind="stable")
    places = int(numbers["environments"].iloc[0])
    base = alt.Chart().encode(
        x=alt.X("bound:O", sort=order, title="online time of a trajectory, at most", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("title:N", sort=list(best.index), title=None, axis=alt.Axis(ticks=False, domain=False)),
        tooltip=theme.tooltip(title="agent", bound="at most", count=f"among the best, of {places} environments"),
    )
    scale = alt.Scale(domain=[0, places], range=["white", theme.INK])
    # Lines of one colour, but of an algorithm each: so that pages can highlight its row.
    whose = alt.Stroke("title:N", scale=alt.Scale(domain=list(best.index), range=[theme.PALE] * len(best)), legend=None)
    cells = base.mark_rect().encode(color=alt.Color("count:Q", scale=scale, legend=None), stroke=whose)
    dark = alt.datum.count > 0.5 * places
    text = base.mark_text(fontSize=12, strokeWidth=0).encode(
        text="count:Q", stroke=whose, color=alt.condition(dark, alt.value("white"), alt.value(theme.INK))
    )
    panels = [title for title in (_WITHOUT, _WITH) if title in set(numbers["offline"])]
    width = min(62 * len(order), theme.WIDTH - theme.LABEL)
    data = numbers[["offline", "bound", "title", "count"]]
    chart = (
        alt.layer(cells, text, data=data)
        .properties(width=width, height=21 * len(best))
        .facet(alt.Facet("offline:N", sort=panels, title=None), columns=1)
    )
    description = "In how many environments each agent is among the best within a bound on its time"
    return theme.finish(chart, description), numbers
