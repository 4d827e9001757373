"""What fewer runs would have shown, and sample efficiency: figures 2 to 5, 10 right, A.15 to A.17, A.20 and A.26."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import origin, theme
from surefoot.figures.curves import curve_chart
from surefoot.figures.names import HUMAN, METRICS, colour_order, named, shown
from surefoot.figures.selection import numbers_of_analysis, rounded

Tables = Mapping[str, pd.DataFrame]
_SIZES = alt.X("size:Q", title="number of runs", scale=alt.Scale(type="log", nice=False))


def figure_2_left(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Density of the median of as many runs as the publications had."""
    numbers = numbers_of_analysis(tables, "figure_2_left")
    if numbers is None:
        return origin.nothing(settings)
    sizes = numbers.drop_duplicates("algorithm").set_index("algorithm")["size"]
    titles = {name: f"{title}, {sizes[name]} runs" for name, title in shown(numbers["algorithm"], settings).items()}
    x = alt.X("score:Q", title=f"median {HUMAN}", scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title="density")
    chart = curve_chart(numbers, titles, x, y, among=colour_order(sizes.index))
    description = "Densities of the median score of few runs of each algorithm"
    return origin.finish(chart, description, tables, settings, "figure_2_left"), numbers


def ranges_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range that holds 95 % of the medians and of the IQMs of N runs, by N (figure 2 right)."""
    return _by_size(tables, settings, None, "95 % range of the median and the IQM by number of runs")


def expected_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Expected metric of N runs, by N (figures 3 and A.17); `settings["metric"]`."""
    metric = settings["metric"]
    return _by_size(tables, settings, [metric], f"Expected {METRICS.get(metric, metric)} by number of runs", band=False)


def _by_size(tables, settings, metrics, description, band=True):
    analysis = settings.get("analysis", "subsamples")
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
    chart = curve_chart(data, titles, _SIZES, y, panels, among=colour_order(titles))
    return origin.finish(chart, description, tables, settings, analysis), numbers


def lift_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range of the observed lift of an algorithm over itself with all scores raised (figure 4)."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = {f"{lift:g}": f"lift of {lift:g} %" for lift in dict.fromkeys(numbers["lift"])}
    data = numbers[["size", "value", "low", "high"]]
    data = data.assign(algorithm=numbers["lift"].map("{:g}".format), panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="observed lift in percent")
    chart = curve_chart(data, titles, _SIZES, y, list(dict.fromkeys(data["panel"])))
    return origin.finish(chart, "95 % ranges of observed lifts by number of runs", tables, settings, analysis), numbers


def figure_a15(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range of the difference of two algorithms, by number of runs."""
    numbers = numbers_of_analysis(tables, "figure_a15")
    if numbers is None:
        return origin.nothing(settings)
    names = numbers["x"] + " - " + numbers["y"]
    titles = {name: name for name in dict.fromkeys(names)}
    data = numbers[["size", "value", "low", "high"]].assign(algorithm=names, panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title="difference of scores")
    chart = curve_chart(data, titles, _SIZES, y, list(dict.fromkeys(data["panel"])))
    return origin.finish(chart, "95 % ranges of differences by number of runs", tables, settings, "figure_a15"), numbers


def trimmed_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean squared error of trimmed means by the fraction cut, relative to that of the IQM (figure A.16)."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    of_iqm = numbers[numbers["fraction"].sub(0.25).abs() < 1e-9].set_index(["algorithm", "resampled"])["value"]
    keys = pd.MultiIndex.from_frame(numbers[["algorithm", "resampled"]])
    panels = {"whole_runs": "whole runs (as published)", "runs": "runs of each task on their own"}
    data = numbers[["algorithm", "fraction"]].assign(
        value=numbers["value"].to_numpy() / of_iqm.reindex(keys).to_numpy(), panel=numbers["resampled"].map(panels)
    )
    x = alt.X("fraction:Q", title="fraction cut from each end (0.25 is the IQM)")
    y = alt.Y("value:Q", title="mean squared error / that of the IQM", scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, x, y, list(panels.values()), among=colour_order(titles))
    description = "Mean squared errors of trimmed means of 10 runs"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def figure_5(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Scores of one algorithm under protocols that report a maximum."""
    numbers = numbers_of_analysis(tables, "figure_5")
    if numbers is None:
        return origin.nothing(settings)
    largest = numbers.groupby("protocol")["size"].transform("max")
    own = numbers[(numbers["size"] == largest) & numbers["metric"].isin(["median", "iqm"])]
    data = rounded(own).assign(panel=named(METRICS, own["metric"]))
    order = ["DER", "DER, maximum of 10", "DER, best of 8 settings", "CURL", "CURL, maximum of 10"]
    y = alt.Y("protocol:N", title=None, sort=order)
    base = alt.Chart().encode(y=y)
    bars = base.mark_bar(height=16, color="#9cc0ea").encode(x=alt.X("value:Q", title=HUMAN))
    ranges = base.mark_rule(strokeWidth=2, color=theme.INK).encode(x="low:Q", x2="high:Q")
    columns = ["protocol", "panel", "value", "low", "high"]
    chart = alt.layer(bars, ranges, data=data[columns]).properties(width=235, height=130)
    chart = chart.facet(column=alt.Facet("panel:N", title=None, sort=["Median", "IQM"]))
    description = "DER and CURL by protocols that report the final evaluation or a maximum"
    return origin.finish(chart, description, tables, settings, "figure_5"), numbers


def efficiency_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Median and IQM by frames of training (figure A.20), or the IQM alone (figure 10 right)."""
    numbers = numbers_of_analysis(tables, "figure_a20")
    if numbers is None:
        return origin.nothing(settings)
    single = settings.get("metric")
    if single:
        numbers = numbers[numbers["metric"] == single].reset_index(drop=True)
    titles = shown(numbers["algorithm"], settings)
    data = numbers[["algorithm", "frames", "value", "low", "high"]]
    panels = []
    if not single:
        data = data.assign(panel=named(METRICS, numbers["metric"]))
        panels = list(dict.fromkeys(data["panel"]))
    x = alt.X("frames:Q", title="million frames")
    y = alt.Y("value:Q", title=f"{'IQM ' if single else ''}{HUMAN}")
    chart = curve_chart(data, titles, x, y, panels, among=colour_order(titles))
    return origin.finish(chart, "Scores by million frames of training", tables, settings, "figure_a20"), numbers


def figure_a26(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Optimality gap below a target, in units of the target, by the target."""
    numbers = numbers_of_analysis(tables, "figure_a26")
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    x = alt.X("gamma:Q", title=f"target gamma ({HUMAN})", scale=alt.Scale(type="log", nice=False))
    y = alt.Y("value:Q", title="optimality gap / gamma (lower is better)", scale=alt.Scale(zero=False))
    chart = curve_chart(numbers, titles, x, y, among=colour_order(titles))
    return origin.finish(chart, "Optimality gaps by their target", tables, settings, "figure_a26"), numbers
