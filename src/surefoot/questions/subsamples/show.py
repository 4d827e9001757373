"""How the spread of metrics of fewer runs is shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.axes import run_numbers_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import METRIC_NAMES, METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import counted, joined
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
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


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
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
