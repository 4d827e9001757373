"""Charts and findings. What fewer runs would have shown: values of metrics, and how often intervals hold."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import curve_chart, run_numbers_axis
from surefoot.charts.names import METHODS, METRICS, colour_order, named, shown, spoken_metric
from surefoot.charts.selection import rounded
from surefoot.charts.sentences import counted, joined
from surefoot.charts.theme import of_classes
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric


@origin.of_analysis
def subsamples_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Range that holds 95 % of the metrics of N runs, by N."""
    metrics = list(dict.fromkeys(numbers["metric"]))
    titles = shown(numbers["algorithm"], settings)
    data = numbers[["algorithm", "size", "value", "low", "high"]]
    if len(metrics) > 1:
        data = data.assign(panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="score", scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, among=colour_order(titles))
    names = joined([f"the {spoken_metric(name)}" for name in metrics])
    return chart, f"95 % range of {names} by number of runs", numbers


def subsamples_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """With how few runs the ranges of the best two algorithms by all runs stop overlapping, by the first metric or the
    IQM; of one algorithm, how its range narrows."""
    name = "iqm" if (table["metric"] == "iqm").any() else str(table["metric"].iloc[0])
    own = table[table["metric"] == name]
    spoken = spoken_metric(name)
    whole = own.drop_duplicates("algorithm").sort_values(
        "whole", ascending=known_metric(name).entry.lower_is_better, kind="stable"
    )
    titles, sizes = shown(whole["algorithm"], settings), sorted(own["size"].unique())
    ranges = own.set_index(["algorithm", "size"])[["low", "high"]].sort_index()
    if len(titles) == 1:
        (only,) = titles
        ends = [f"{_range(ranges.loc[only, size])} with {counted(int(size), 'run')}" for size in (sizes[0], sizes[-1])]
        return f"The {spoken} of {titles[only]} falls between {joined(list(dict.fromkeys(ends)))} in 95 % of draws."
    first, second = list(titles)[:2]
    overlap = [_overlap(ranges.loc[first, size], ranges.loc[second, size]) for size in sizes]
    best_two = "the best two, " if len(titles) > 2 else ""
    pair = f"the {spoken} ranges of {best_two}{titles[first]} and {titles[second]}"
    if len(titles) > 2:
        pair += ","
    if not any(overlap):
        return f"Even with {counted(int(sizes[0]), 'run')}, {pair} do not overlap."
    last = max(size for size, common in zip(sizes, overlap, strict=True) if common)
    if last == sizes[-1]:
        return f"Even with {counted(int(last), 'run')}, {pair} overlap."
    enough = sizes[sizes.index(last) + 1]
    return f"With {counted(int(last), 'run')}, {pair} still overlap; with {int(enough)} they do not."


def _range(ends: pd.Series) -> str:
    return f"{written(float(ends['low']), '.3f')} and {written(float(ends['high']), '.3f')}"


def _overlap(one: pd.Series, other: pd.Series) -> bool:
    return bool(one["low"] <= other["high"] and other["low"] <= one["high"])


_PANELS = {False: "without replacement", True: "with replacement"}


@origin.of_analysis
def coverages_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Coverage of nominal intervals of each metric by each method, by number of runs."""
    return _curves(numbers, settings, "value", f"coverage ({settings['confidence']:g} is right)", zero=False)


@origin.of_analysis
def width_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Mean width of nominal intervals of each method, by number of runs."""
    return _curves(numbers, settings, "width", "mean width", zero=True)


def _curves(
    numbers: pd.DataFrame, settings: Mapping[str, Any], column: str, axis_title: str, zero: bool
) -> origin.Described:
    numbers = numbers[numbers["level"].sub(settings["confidence"]).abs() < 1e-9].reset_index(drop=True)
    titles = {name: METHODS[name] for name in dict.fromkeys(numbers["method"])}
    several = numbers["replacement"].nunique() > 1
    drawn = numbers["replacement"].map(_PANELS)
    panel = named(METRICS, numbers["metric"]) + (", " + drawn if several else "")
    data = numbers[["size"]].assign(algorithm=numbers["method"], panel=panel, **_within_errors(numbers, column))
    y = alt.Y("value:Q", title=axis_title, scale=alt.Scale(zero=zero))
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, columns=3, height=190)
    description = (
        f"{axis_title.capitalize()} of nominal {100 * settings['confidence']:g} % bootstrap intervals by number of runs"
    )
    return of_classes(chart), description, numbers


def _within_errors(numbers: pd.DataFrame, column: str) -> dict[str, pd.Series]:
    """The column as `value`, with `low` and `high` two Monte Carlo standard errors away."""
    value, reach = numbers[column], 2 * numbers[f"{column}_error"]
    return {"value": value, "low": value - reach, "high": value + reach}


@origin.of_analysis
def level_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Coverage of percentile intervals of several nominal levels: which level to ask for."""
    own = numbers[(numbers["method"] == "percentile") & numbers["replacement"].astype(bool)].reset_index(drop=True)
    titles = {f"{level:g}": f"nominal {100 * level:g} %" for level in sorted(set(own["level"]))}
    data = own[["size"]].assign(
        algorithm=own["level"].map("{:g}".format), panel=named(METRICS, own["metric"]), **_within_errors(own, "value")
    )
    y = alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, run_numbers_axis(own["size"]), y, columns=3, height=190)
    return of_classes(chart), "Coverage of percentile intervals by nominal level", own


@origin.of_analysis
def task_coverages_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Coverage of intervals of the mean of each task, by number of runs."""
    base = alt.Chart(rounded(numbers[["environment", "size", "value"]]))
    points = base.mark_point(filled=True, opacity=0.6, size=50, color="#3a78e0").encode(
        x=alt.X("size:O", title="number of runs", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("environment:N"),
        y=alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False)),
        tooltip=theme.tooltip(environment="environment", size="size", value="value"),
    )
    rule = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(settings["confidence"]))
    chart = alt.layer(points, rule, data=base.data).properties(width=theme.WIDTH - 80, height=280)
    description = settings.get("description", "Coverage of nominal intervals of the mean of each task")
    return chart, description, numbers
