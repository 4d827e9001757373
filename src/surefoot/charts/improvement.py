"""Charts and findings. The probability that one algorithm improves on another, and the ranks of several."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.names import SCORES, colour_order, named, shown
from surefoot.charts.selection import rounded
from surefoot.charts.sentences import joined, percent
from surefoot.rounding import written
from surefoot.statistics.runs.sharing import sharing_sentence


@origin.of_analysis
def pairs_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability that x improves on y, of claimed pairs, with intervals."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    pair = numbers["x"].map(titles) + " over " + numbers["y"].map(titles)
    data = rounded(numbers[["value", "low", "high", "ties"]]).assign(pair=pair)
    chart = _improvements(data, alt.Y("pair:N", sort=list(pair), title=None), alt.value(theme.INK)).properties(
        width=theme.WIDTH - 220, height=26 * len(data)
    )
    level = percent(settings["confidence"])
    description = f"Probability of improvement of claimed pairs of algorithms with {level} intervals"
    return chart, description, numbers


@origin.of_analysis
def improvement_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Probability of improvement of each algorithm on every other: a panel an algorithm, a row one that it may beat."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    total, order = len(titles), colour_order(titles)
    best = set(best_of_many(numbers.groupby("x", sort=False)["value"].mean().sort_values(ascending=False).index))
    if len(best) < numbers["x"].nunique():
        numbers, everything = numbers[numbers["x"].isin(best) & numbers["y"].isin(best)], numbers
        titles = shown([*numbers["x"], *numbers["y"]], settings)
    else:
        everything = numbers
    names = {"panel": numbers["x"].map(titles), "title": numbers["y"].map(titles)}
    data = rounded(numbers[["value", "low", "high", "ties"]]).assign(**names)
    scales = theme.scales(titles, order)
    y = alt.Y("title:N", sort=list(titles.values()), title=None)
    colour = alt.Color("title:N", scale=scales.colour, legend=None)
    chart = _improvements(None, y, colour).properties(width=215, height=18 * len(titles), data=data)
    header = alt.Header(labelExpr="(datum.label) + ' beats\u00a0…'", labelLimit=2 * theme.LABEL)
    panels = chart.facet(facet=alt.Facet("panel:N", title=None, sort=list(titles.values()), header=header), columns=2)
    listed, level = ", ".join(titles.values()), percent(settings["confidence"])
    description = f"Probability that each of {listed} improves on each other, with {level} intervals"
    panels = with_count(panels, len(titles), total, "the mean probability")
    return panels, description, everything


def _improvements(
    data: pd.DataFrame | None, y: alt.Y, colour: alt.Color | Mapping[str, Any]
) -> alt.LayerChart | alt.FacetChart:
    base = (alt.Chart() if data is None else alt.Chart(data)).encode(y=y, color=colour)
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("low:Q", title="probability", scale=scale)
    tooltip = theme.tooltip(value="probability", low="low", high="high", ties="share of ties")
    bands = base.mark_bar(height=9, opacity=0.5).encode(x=x, x2="high:Q", tooltip=tooltip)
    points = base.mark_tick(thickness=2.5, size=12).encode(x=alt.X("value:Q", scale=scale), tooltip=tooltip)
    half = base.mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(
        x=alt.datum(0.5), y=alt.value(0), y2=alt.value("height"), color=alt.value(theme.NEUTRAL)
    )
    return alt.layer(bands, points, half)


def improvement_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose runs beat those of every other algorithm more often than not, which of the intervals, each taken alone, lie
    above one half, and whether tasks share runs."""
    found = _found(table, settings)
    if "shared_runs" not in table:  # as in tables that were recorded before
        return found
    method = settings["questions"].get(settings["analysis"], {}).get("method", "placements")
    said = sharing_sentence(
        table["shared_runs"], int(table["runs"].min()), "percentile" if method == "percentile" else "student"
    )
    return f"{found} {said}".strip()


def _found(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    titles = shown([*table["x"], *table["y"]], settings)
    turned = {"x": table["y"], "y": table["x"], "value": 1 - table["value"]}
    turned |= {"low": 1 - table["high"], "high": 1 - table["low"]}
    # A pair that was asked for one way tells the other way too, as ties count half.
    both = pd.concat([table, table.assign(**turned)], ignore_index=True).drop_duplicates(["x", "y"])
    for x in titles:
        own = both[both["x"] == x]
        if len(own) == len(titles) - 1 and (own["value"] > 0.5).all():
            return _of_winner(own, titles)
    pairs = both[both["x"].map(list(titles).index) < both["y"].map(list(titles).index)]
    leaves = (pairs["low"] > 0.5) | (pairs["high"] < 0.5)
    if len(pairs) == 1:
        row, found = pairs.iloc[0], "excludes" if leaves.all() else "includes"
        return f"A run of {titles[row['x']]} beats one of {titles[row['y']]} {_with_interval(row)}, which {found} 0.5."
    told = f"{leaves.sum() or 'none'} of {len(pairs)} pairs {'has' if leaves.sum() < 2 else 'have'} an interval"
    told = f"{told} that excludes 0.5"
    if len(pairs) < len(titles) * (len(titles) - 1) // 2:
        return f"{told[:1].upper()}{told[1:]}."
    return f"No algorithm beats every other more often than not; {told}."


def _of_winner(own: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """What the probabilities of one algorithm, all above one half, and their intervals say."""
    name = titles[own["x"].iloc[0]]
    if len(own) == 1:
        row = own.iloc[0]
        sure = "" if row["low"] > 0.5 else ", which includes 0.5"
        return f"A run of {name} beats one of {titles[row['y']]} {_with_interval(row)}{sure}."
    least, most = (written(float(value), ".2f") for value in (own["value"].min(), own["value"].max()))
    span = least if least == most else f"{least} to {most}"
    told = f"A run of {name} beats one of any other algorithm with probability {span}"
    unsure = own.loc[~(own["low"] > 0.5), "y"]
    if unsure.empty:
        return f"{told}; every interval, taken alone, lies above 0.5."
    if len(unsure) == len(own):
        return f"{told}, but every interval includes 0.5."
    return f"{told}; the interval against {joined([titles[other] for other in unsure])} includes 0.5."


def _with_interval(row: pd.Series) -> str:
    value, low, high = (written(float(row[end]), ".2f") for end in ("value", "low", "high"))
    return f"with probability {value} ({low} to {high})"


_OTHERS = "all others"


_TASKS = {"": "mean over tasks"}


@origin.of_analysis
def ranks_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The probability of each rank of each algorithm, averaged over tasks: stacked bars, a panel a set of scores."""
    return _chart(numbers, settings, by_task=False)


@origin.of_analysis
def chart_by_task(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The probability of each rank of each algorithm on each task."""
    return _chart(numbers, settings, by_task=True)


def _chart(numbers: pd.DataFrame, settings: Mapping[str, Any], by_task: bool) -> origin.Described:
    own = numbers[(numbers["environment"] != "") == by_task]
    titles = shown(own["algorithm"], settings)
    places = settings["environment_titles"]
    tasks = own["environment"].map(lambda name: _TASKS.get(name, places.get(name, name.replace("_", " "))))
    names = {"title": own["algorithm"].map(titles), "panel": tasks, "row": named(SCORES, own["scores"])}
    mean_ranks = (own["rank"] * own["value"]).groupby(own["algorithm"], sort=False).sum().sort_values(kind="stable")
    best = best_of_many(mean_ranks.index)
    others = ~own["algorithm"].isin(best)
    data = own[["rank", "value"]].assign(**names)
    total = len(titles)
    if others.any():
        titles = {name: title for name, title in titles.items() if name in best} | {"": _OTHERS}
        data["title"] = data["title"].mask(others, _OTHERS)
        data = data.groupby(["title", "panel", "row", "rank"], sort=False, as_index=False)["value"].sum()
    data = rounded(data)
    data["place"] = data["title"].map({title: place for place, title in enumerate(titles.values())})
    few = {name: title for name, title in titles.items() if name}
    colour = theme.scales(few, colour_order(own["algorithm"])).colour
    axis = alt.Axis(labelAngle=0)
    if others.any():
        axis = alt.Axis(labelAngle=0, labelOverlap="greedy")
        colour = alt.Scale(domain=[*colour.domain, _OTHERS], range=[*colour.range, theme.PALE])
    legend = alt.Legend(orient="top", title=None, columns=theme.legend_columns(titles.values()))
    bars = (
        alt.Chart(data)
        .mark_bar(stroke=theme.PAPER, strokeWidth=0.2 if others.any() else 1)  # some neighbours are equally light
        .encode(
            x=alt.X("rank:O", title="rank", axis=axis),
            y=alt.Y(
                "value:Q", title="probability", stack="zero", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])
            ),
            color=alt.Color("title:N", scale=colour, legend=legend, sort=list(titles.values())),
            order=alt.Order("place:Q"),
            tooltip=theme.tooltip(title="algorithm", rank="rank", value="probability"),
        )
        .properties(width=88 if by_task else theme.WIDTH - 60 if others.any() else 250, height=130 if by_task else 230)
    )
    rows = list(dict.fromkeys(data["row"]))
    if by_task:
        panels = list(dict.fromkeys(data["panel"]))
        column = alt.Facet("panel:N", title=None, sort=panels, header=theme.heading(88))
        row = alt.Facet("row:N", title=None, sort=rows, header=theme.heading(130))
        chart = bars.facet(column=column, row=row)
    else:
        chart = bars.facet(column=alt.Facet("row:N", title=None, sort=rows)) if len(rows) > 1 else bars
    chart = with_count(chart, len(best), total, "mean rank")
    description = f"Distribution of the rank of {', '.join(titles.values())}"
    return chart, description, numbers


def ranks_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose run comes first most often, and whose next: among the runs at hand, since there is no interval."""
    first = table[(table["environment"] == "") & (table["rank"] == 1)]
    first = first.sort_values("value", ascending=False, kind="stable")
    titles = shown(first["algorithm"], settings)
    told = [
        (titles[name], percent(float(written(value, ".2f"))))
        for name, value in zip(first["algorithm"], first["value"], strict=True)
    ]
    (best, share), *others = told
    alike = [name for name, other in told if other == share]
    if len(alike) > 1:
        return f"With one run of each algorithm, {joined(alike)} come first about equally often ({share})."
    text = f"With one run of each algorithm, {best} comes first with probability {share}"
    return f"{text}, {others[0][0]} with {others[0][1]}." if others else f"{text}."
