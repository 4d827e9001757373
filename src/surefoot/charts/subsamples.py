"""Charts and findings. What fewer runs would have shown: values of metrics, and how often intervals hold."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.axes import run_numbers_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.names import METHODS, METRIC_NAMES, METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import counted, joined
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric


def subsamples_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range that holds 95 % of the metrics of N runs, by N."""
    return _by_size(tables, settings, None, "95 % range of {} by number of runs")


def expected_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Expected metric of N runs, by N; `settings["metric"]`."""
    metric = settings["metric"]
    return _by_size(tables, settings, [metric], f"Expected {METRICS.get(metric, metric)} by number of runs", band=False)


def _by_size(
    tables: Mapping[str, pd.DataFrame],
    settings: Mapping[str, Any],
    metrics: Sequence[str] | None,
    description: str,
    band: bool = True,
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    metrics = metrics or list(dict.fromkeys(numbers["metric"]))
    numbers = numbers[numbers["metric"].isin(metrics)].reset_index(drop=True)
    titles = shown(numbers["algorithm"], settings)
    columns = ["algorithm", "size", "value", *(["low", "high"] if band else [])]
    data = numbers[columns].assign(panel=named(METRICS, numbers["metric"]))
    panels = list(dict.fromkeys(data["panel"])) if len(metrics) > 1 else []
    y = alt.Y("value:Q", title="score", scale=alt.Scale(zero=False))
    data = data if panels else data.drop(columns="panel")
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, panels, among=colour_order(titles))
    names = [METRIC_NAMES.get(name, name) for name in metrics]
    spoken = joined([f"the {name if name.isupper() else name.lower()}" for name in names])
    return origin.finish(chart, description.format(spoken), tables, settings, analysis), numbers


def subsamples_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """With how few runs the ranges of the best two algorithms by all runs stop overlapping, by the first metric or the
    IQM; of one algorithm, how its range narrows."""
    name = "iqm" if (table["metric"] == "iqm").any() else str(table["metric"].iloc[0])
    own = table[table["metric"] == name]
    title = METRIC_NAMES.get(name, name)
    spoken = title if title.isupper() else title.lower()
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


def coverages_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of nominal intervals of each metric by each method, by number of runs; `settings` may have `metrics`."""
    return _curves(tables, settings, "value", f"coverage ({settings['confidence']:g} is right)", zero=False)


def width_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean width of nominal intervals of each method, by number of runs."""
    return _curves(tables, settings, "width", "mean width", zero=True)


def _curves(
    tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any], column: str, axis_title: str, zero: bool
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    asked = numbers["level"].sub(settings["confidence"]).abs() < 1e-9
    if "metrics" in settings:
        asked &= numbers["metric"].isin(settings["metrics"])
    numbers = numbers[asked].reset_index(drop=True)
    titles = {name: METHODS[name] for name in dict.fromkeys(numbers["method"])}
    several = numbers["replacement"].nunique() > 1
    drawn = numbers["replacement"].map(_PANELS)
    panel = named(METRICS, numbers["metric"]) + (", " + drawn if several else "")
    error = numbers[f"{column}_error"]
    limits = {"low": numbers[column] - 2 * error, "high": numbers[column] + 2 * error}
    data = numbers[["size"]].assign(algorithm=numbers["method"], value=numbers[column], panel=panel, **limits)
    y = alt.Y("value:Q", title=axis_title, scale=alt.Scale(zero=zero))
    chart = curve_chart(
        data, titles, run_numbers_axis(numbers["size"]), y, sorted(set(panel), key=list(panel).index), 3, height=190
    )
    description = (
        f"{axis_title.capitalize()} of nominal {100 * settings['confidence']:g} % bootstrap intervals by number of runs"
    )
    chart = of_classes(chart)
    return origin.finish(chart, description, tables, settings, analysis), numbers


def level_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of percentile intervals of several nominal levels: which level to ask for."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[(numbers["method"] == "percentile") & numbers["replacement"].astype(bool)].reset_index(drop=True)
    titles = {f"{level:g}": f"nominal {100 * level:g} %" for level in sorted(set(own["level"]))}
    limits = {"low": own["value"] - 2 * own["value_error"], "high": own["value"] + 2 * own["value_error"]}
    data = own[["size", "value"]].assign(algorithm=own["level"].map("{:g}".format), **limits)
    data = data.assign(panel=named(METRICS, own["metric"]))
    y = alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False))
    chart = curve_chart(
        data, titles, run_numbers_axis(own["size"]), y, list(dict.fromkeys(data["panel"])), 3, height=190
    )
    chart = of_classes(chart)
    return origin.finish(chart, "Coverage of percentile intervals by nominal level", tables, settings, analysis), own


def task_coverages_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of intervals of the mean of each task, by number of runs."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    base = alt.Chart(rounded(numbers[["environment", "size", "value"]]))
    points = base.mark_point(filled=True, opacity=0.6, size=50, color="#3a78e0").encode(
        x=alt.X("size:O", title="number of runs", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("environment:N"),
        y=alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False)),
        tooltip=["environment:N", "size:Q", alt.Tooltip("value:Q", format=".3f")],
    )
    rule = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(settings["confidence"]))
    chart = alt.layer(points, rule, data=base.data).properties(width=theme.WIDTH - 80, height=280)
    description = settings.get("description", "Coverage of nominal intervals of the mean of each task")
    return origin.finish(chart, description, tables, settings, analysis), numbers
