"""Charts and findings. What only the figures of Agarwal et al. 2021 ask."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.axes import run_numbers_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.names import METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import joined
from surefoot.result_tables import Tables


def histograms_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Histograms of the scores of one algorithm on each task."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    bars = (
        alt.Chart(rounded(numbers[["environment", "low", "high", "count"]]))
        .mark_bar(color="#3a78e0", opacity=0.75)
        .encode(
            x=alt.X("low:Q", title=None, bin="binned", axis=alt.Axis(tickCount=3)),
            x2="high:Q",
            y=alt.Y("count:Q", title=None, axis=alt.Axis(tickCount=3)),
        )
        .properties(width=112, height=60)
    )
    header = alt.Header()
    chart = bars.facet(facet=alt.Facet("environment:N", title=None, header=header), columns=4)
    chart = chart.resolve_scale(x="independent", y="independent")
    description = settings.get("description", "Histograms of the scores of one algorithm on each task")
    return origin.finish(chart, description, tables, settings, analysis), numbers


def trimmed_errors_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean squared error of trimmed means by the fraction cut, relative to that of the IQM where that is among them."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    of_iqm = numbers[numbers["fraction"].sub(0.25).abs() < 1e-9].set_index(["algorithm", "resampled"])["value"]
    keys = pd.MultiIndex.from_frame(numbers[["algorithm", "resampled"]])
    panels = {"whole_runs": "whole runs (as published)", "runs": "runs of each task on their own"}
    relative = len(of_iqm) > 0
    errors = numbers["value"].to_numpy() / (of_iqm.reindex(keys).to_numpy() if relative else 1)
    data = numbers[["algorithm", "fraction"]].assign(value=errors, panel=numbers["resampled"].map(panels))
    x = alt.X("fraction:Q", title="fraction cut from each end (0.25 is the IQM)")
    title = "mean squared error / that of the IQM" if relative else "mean squared error"
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, x, y, list(panels.values()), among=colour_order(titles))
    description = (
        f"Mean squared errors of trimmed means of {joined([str(size) for size in numbers['size'].unique()])} runs"
    )
    return origin.finish(chart, description, tables, settings, analysis), numbers


def subsample_densities_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Density of a metric of few runs of each algorithm; `settings` may have `axis` (what the metric is called)."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    sizes = numbers.drop_duplicates("algorithm").set_index("algorithm")["size"]
    titles = {name: f"{title}, {sizes[name]} runs" for name, title in shown(numbers["algorithm"], settings).items()}
    x = alt.X("score:Q", title=settings.get("axis", "score"), scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title="density")
    chart = curve_chart(numbers, titles, x, y, among=colour_order(sizes.index))
    description = settings.get("description", "Densities of a metric of few runs of each algorithm")
    return origin.finish(chart, description, tables, settings, analysis), numbers


def gap_curve_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Optimality gap below a target, in units of the target, by the target.

    `settings` may have `axis` (what scores are).
    """
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    x = alt.X(
        "gamma:Q", title=f"target gamma ({settings.get('axis', 'score')})", scale=alt.Scale(type="log", nice=False)
    )
    y = alt.Y("value:Q", title="optimality gap / gamma (lower is better)", scale=alt.Scale(zero=False))
    chart = curve_chart(numbers, titles, x, y, among=colour_order(titles))
    return origin.finish(chart, "Optimality gaps by their target", tables, settings, analysis), numbers


def lifts_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range of the observed lift of an algorithm over itself with all scores raised."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = {f"{lift:g}": f"lift of {lift:g} %" for lift in dict.fromkeys(numbers["lift"])}
    data = numbers[["size", "value", "low", "high"]]
    data = data.assign(algorithm=numbers["lift"].map("{:g}".format), panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="observed lift in percent")
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, list(dict.fromkeys(data["panel"])))
    chart = of_classes(chart)
    return origin.finish(chart, "95 % ranges of observed lifts by number of runs", tables, settings, analysis), numbers


def differences_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range of the difference of two algorithms, by number of runs."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    names = numbers["x"] + " \N{MINUS SIGN} " + numbers["y"]
    titles = {name: name for name in dict.fromkeys(names)}
    data = numbers[["size", "value", "low", "high"]].assign(algorithm=names, panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="difference of scores")
    chart = curve_chart(data, titles, run_numbers_axis(numbers["size"]), y, list(dict.fromkeys(data["panel"])))
    chart = of_classes(chart)
    return origin.finish(chart, "95 % ranges of differences by number of runs", tables, settings, analysis), numbers


def protocols_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Median and IQM by each protocol, of the largest number of runs; `settings` may have `axis` and `description`."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    largest = numbers.groupby("protocol")["size"].transform("max")
    own = numbers[(numbers["size"] == largest) & numbers["metric"].isin(["median", "iqm"])]
    data = rounded(own).assign(panel=named(METRICS, own["metric"]))
    y = alt.Y("protocol:N", title=None, sort=_together(own["protocol"]))
    tooltip = [
        alt.Tooltip("protocol:N"),
        *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high")),
    ]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    bars = base.mark_bar(height=16, color="#3a78e0", opacity=0.4).encode(
        x=alt.X("value:Q", title=settings.get("axis", "score"))
    )
    ranges = base.mark_rule(strokeWidth=2, color=theme.INK).encode(x="low:Q", x2="high:Q")
    columns = ["protocol", "panel", "value", "low", "high"]
    chart = alt.layer(bars, ranges, data=data[columns]).properties(width=235, height=130)
    panels = chart.facet(column=alt.Column("panel:N", title=None, sort=["Median", "IQM"]))
    description = settings.get("description", "Median and IQM by each protocol")
    return origin.finish(panels, description, tables, settings, analysis), numbers


def _together(protocols: pd.Series) -> list[str]:
    """The protocols in order of appearance, those of an algorithm below each other."""
    algorithms = {name: name.partition(", ")[0] for name in protocols}
    order = list(algorithms.values())
    return sorted(algorithms, key=lambda name: order.index(algorithms[name]))
