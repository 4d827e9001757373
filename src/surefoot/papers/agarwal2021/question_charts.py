"""Charts for the questions that are specific to Agarwal et al. (2021)."""

import itertools

import altair as alt
import numpy as np
import pandas as pd
from scipy.special import ndtr

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart, run_numbers_axis
from surefoot.charts.forms import interval_panels, row_chart
from surefoot.charts.names import METRICS, SCORES, Titles, named, spoken_metric, titles_of
from surefoot.charts.published_numbers import published_chart
from surefoot.rounding import joined
from surefoot.statistics.comparison.simultaneous_comparisons import holm
from surefoot.statistics.reproduction.items import item_texts


def histograms_chart(
    table: pd.DataFrame, *, description: str = "Histograms of the scores of one algorithm on each task"
) -> alt.TopLevelMixin:
    """Draw histograms of the scores of one algorithm on each task."""
    data = table[["low", "high", "count"]].assign(panel=table["environment"])
    bars = (
        alt.Chart(theme.chart_data(data))
        .mark_bar(color="#3a78e0", opacity=0.75)
        .encode(
            x=alt.X("low:Q", title=None, bin="binned", axis=alt.Axis(tickCount=3)),
            x2="high:Q",
            y=alt.Y("count:Q", title=None, axis=alt.Axis(tickCount=3)),
        )
        .properties(width=112, height=60)
    )
    chart = theme.in_panels(bars, sorted(data["panel"].unique()), 4, 112, ("x", "y"))
    middles = (data["low"] + data["high"]) / 2
    ends = data.assign(middle=middles).groupby("panel")["middle"]
    is_low = middles < (ends.transform("min") + ends.transform("max")) / 2
    low = data["count"].where(is_low, 0).groupby(data["panel"]).sum() > data.groupby("panel")["count"].sum() / 2
    finding = f"In {low.sum()} of {len(low)} tasks, most runs score in the lower half of their range"
    return theme.finish(theme.headline(chart, finding), description)


def trimmed_errors_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the mean squared error of trimmed means against the fraction cut, relative to the IQM's if it is known."""
    labels = titles_of(table["algorithm"], titles)
    of_iqm = table[table["fraction"].sub(0.25).abs() < 1e-9].set_index(["algorithm", "resample"])["estimate"]
    keys = pd.MultiIndex.from_frame(table[["algorithm", "resample"]])
    panels = {"whole_runs": "whole runs (as published)", "runs": "runs of each task drawn separately"}
    relative = len(of_iqm) > 0
    errors = table["estimate"].to_numpy() / (of_iqm.reindex(keys).to_numpy() if relative else 1)
    data = table[["algorithm", "fraction"]].assign(estimate=errors, panel=table["resample"].map(panels))
    x = alt.X("fraction:Q", title="fraction cut from each end (0.25 is the IQM)")
    title = "mean squared error, relative to the IQM" if relative else "mean squared error"
    y = alt.Y("estimate:Q", title=title, scale=alt.Scale(zero=False))
    chart = curve_chart(data, labels, x, y)
    description = (
        f"Mean squared errors of trimmed means of {joined([str(size) for size in table['size'].unique()])} runs"
    )
    least = table.loc[table.groupby(["algorithm", "resample"])["estimate"].idxmin(), "fraction"]
    ends = dict.fromkeys(f"{100 * fraction:g}" for fraction in (least.min(), least.max()))
    finding = f"The error is least if {' to '.join(ends)} % of the scores are cut from each end"
    return theme.finish(theme.headline(chart, finding), description)


def subsample_densities_chart(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    axis: str = "score",
    description: str = "Densities of a metric of few runs of each algorithm",
) -> alt.TopLevelMixin:
    """Draw the density of a metric computed from a few runs, for each algorithm; `axis` is the metric's name."""
    sizes = table.drop_duplicates("algorithm").set_index("algorithm")["size"]
    labels = {name: f"{title}, {sizes[name]} runs" for name, title in titles_of(table["algorithm"], titles).items()}
    x = alt.X("score:Q", title=axis, scale=alt.Scale(nice=False))
    y = alt.Y("estimate:Q", title="density")
    chart = curve_chart(table, labels, x, y)
    grid = np.linspace(table["score"].min(), table["score"].max(), 2001)
    heights = {
        labels[name]: np.interp(grid, rows["score"], rows["estimate"], left=0, right=0)
        for name, rows in table.groupby("algorithm", sort=False)
    }
    shared = {pair: np.minimum(*(heights[name] for name in pair)) for pair in itertools.combinations(heights, 2)}
    if shared:
        areas = {pair: np.trapezoid(height, grid) for pair, height in shared.items()}
        (first, second), area = max(areas.items(), key=lambda item: item[1])
        chart = theme.headline(chart, f"The densities of {first}, and {second}, overlap by {100 * area:.0f} %")
    return theme.finish(chart, description)


def gap_curve_chart(table: pd.DataFrame, *, titles: Titles = None, axis: str = "score") -> alt.TopLevelMixin:
    """Draw the optimality gap as a fraction of the target, by target; `axis` names the scores."""
    labels = titles_of(table["algorithm"], titles)
    x = alt.X("gamma:Q", title=f"target gamma ({axis})", scale=alt.Scale(type="log", nice=False))
    y = alt.Y("estimate:Q", title="optimality gap / gamma (lower is better)", scale=alt.Scale(zero=False))
    chart = curve_chart(table, labels, x, y)
    best = table.loc[table.groupby("gamma")["estimate"].idxmin(), "algorithm"].value_counts()
    finding = f"{labels[best.index[0]]} has the smallest gap at {best.iloc[0]} of {best.sum()} targets"
    return theme.finish(theme.headline(chart, finding), "Optimality gaps by their target")


def lifts_chart(table: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw the range of the observed improvement (lift) if all scores of an algorithm are raised."""
    labels = {f"{lift:g}": f"lift of {lift:g} %" for lift in dict.fromkeys(table["lift"])}
    data = table[["size", "estimate", "low", "high"]]
    data = data.assign(algorithm=table["lift"].map("{:g}".format), panel=named(METRICS, table["metric"]))
    y = alt.Y("estimate:Q", title="observed lift in percent")
    chart = curve_chart(data, labels, run_numbers_axis(table["size"]), y)
    lifted = table[table["lift"] > 0]
    if len(lifted):
        least = lifted["lift"].min()
        needed = _excluding_zero(lifted[lifted["lift"] == least])
        chart = theme.headline(chart, f"A lift of {least:g} % is detectable {needed}")
    return theme.finish(chart, "95 % ranges of observed lifts by number of runs")


def _excluding_zero(rows: pd.DataFrame) -> str:
    """Report, for each metric, the smallest number of runs whose range lies above 0."""
    needed = rows["size"].where(rows["low"] > 0).groupby(rows["metric"], sort=False).min().sort_values(kind="stable")
    found = needed.dropna()
    enough = [f"with {size:.0f} or more runs by the {spoken_metric(metric)}" for metric, size in found.items()]
    never = [f"the {spoken_metric(metric)}" for metric in needed.index[needed.isna()]]
    parts = [joined(enough)] if enough else []
    if never:
        parts.append(f"with no number of runs up to {rows['size'].max()} by {joined(never)}")
    return ", but ".join(parts)


def differences_chart(table: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw the range of the difference of two algorithms, by number of runs."""
    names = table["algorithm"] + " \N{MINUS SIGN} " + table["baseline"]
    labels = {name: name for name in dict.fromkeys(names)}
    data = table[["size", "estimate", "low", "high"]].assign(algorithm=names, panel=named(METRICS, table["metric"]))
    y = alt.Y("estimate:Q", title="difference of scores")
    chart = curve_chart(data, labels, run_numbers_axis(table["size"]), y)
    closest = names[table["estimate"].abs().idxmin()]
    of_closest = table[names == closest]
    chart = theme.headline(chart, f"The range of {closest} excludes 0 {_excluding_zero(of_closest)}")
    return theme.finish(chart, "95 % ranges of differences by number of runs")


def protocols_chart(
    table: pd.DataFrame, *, axis: str = "score", description: str = "Median and IQM by each protocol"
) -> alt.TopLevelMixin:
    """Draw median and IQM under each protocol, for the largest number of runs."""
    largest = table.groupby("protocol")["size"].transform("max")
    shown = table[(table["size"] == largest) & table["metric"].isin(["median", "iqm"])]
    data = shown[["estimate", "low", "high"]].assign(title=shown["protocol"], panel=named(METRICS, shown["metric"]))
    order = list(dict.fromkeys(shown["protocol"]))
    chart = row_chart(data.assign(colour=theme.STRONG), order, axis, columns=2, shared=True)
    return theme.finish(chart, description)


_PUBLISHED_SCORES = {f"dm_control_published_{steps}": f"dm_control_{steps}" for steps in ("100k", "500k")}
"""Sets of published means and deviations, mapped to the corresponding sets of runs."""


def figure_published_numbers(published: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Tabulate medians and means of all runs on Atari 100k next to the values printed in the authors' notebook."""
    numbers = table[table["metric"].isin(["median", "mean"])].drop_duplicates(["algorithm", "metric"])
    printed = published.set_index("item")["published"]
    items = item_texts(numbers["metric"], numbers["algorithm"])
    numbers = numbers.assign(published=items.map(printed)).dropna(subset="published")
    return numbers.sort_values(["metric", "estimate"], ascending=False, ignore_index=True)


def figure_published(published: pd.DataFrame, table: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw medians and means of all runs on Atari 100k next to the values printed in the authors' notebook."""
    numbers = figure_published_numbers(published, table)
    data = numbers.assign(title=numbers["algorithm"], panel=named(METRICS, numbers["metric"]))
    chart = published_chart(data, "human-normalized score", columns=2)
    description = "Medians and means of all runs on Atari 100k, with those that the authors' notebook prints"
    return theme.finish(chart, description)


def figure_first_runs_numbers(effects: pd.DataFrame, first: pd.DataFrame, subsamples: pd.DataFrame) -> pd.DataFrame:
    """Compare the IQM of the first ten runs of each algorithm on Atari 100k with the IQM of all hundred.

    The columns are algorithm, estimate, low, high (of the first runs), all_runs (the IQM of all runs, NaN if
    there are no more), p_value (of the test of whether runs with the same number are correlated across games), z
    (difference of the first ten runs from the mean, in standard deviations of the IQM of ten runs), and p_of_z
    (adjusted for the number of algorithms by Holm).
    """
    first = first[(first["metric"] == "iqm") & (first["method"] == "percentile")]
    effects = effects.set_index("algorithm")
    numbers = first[["algorithm", "estimate", "low", "high"]].sort_values(
        "estimate", ascending=False, ignore_index=True
    )
    numbers = numbers.assign(all_runs=numbers["algorithm"].map(effects["iqm"]))
    numbers = numbers.assign(p_value=numbers["algorithm"].map(effects["p_value"])).dropna(subset="all_runs")
    of_ten = subsamples[(subsamples["metric"] == "iqm") & (subsamples["size"] == 10)].set_index("algorithm")
    expected, deviation = (numbers["algorithm"].map(of_ten[name]) for name in ("estimate", "deviation"))
    z = (numbers["estimate"] - expected) / deviation
    return numbers.assign(z=z, p_of_z=holm(2.0 * ndtr(-z.abs().to_numpy())))


def figure_first_runs(effects: pd.DataFrame, first: pd.DataFrame, subsamples: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw the IQM of the first ten runs of each algorithm on Atari 100k with intervals, and that of all hundred."""
    numbers = figure_first_runs_numbers(effects, first, subsamples)
    data = numbers.assign(title=numbers["algorithm"], published=numbers["all_runs"])
    chart = published_chart(data, "IQM, human-normalized score", ring="all runs")
    description = "IQM of the first ten runs of each algorithm with 95 % intervals, and that of all hundred runs"
    return theme.finish(chart, description)


def figure_11a_numbers(published: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Tabulate mean scores on DM Control with intervals, from runs and from published means and deviations."""
    means = runs[(runs["metric"] == "mean") & (runs["method"] == "percentile")].assign(method="bootstrap")
    published = published.assign(scores=published["scores"].map(_PUBLISHED_SCORES))
    columns = ["scores", "algorithm", "method", "estimate", "low", "high", "runs", "tasks"]
    return pd.concat([means[columns], published[columns]], ignore_index=True)


def figure_11a(published: pd.DataFrame, runs: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw mean scores on DM Control with intervals, for nine algorithms, ordered by the score after the most steps."""
    numbers = figure_11a_numbers(published, runs)
    data = numbers[numbers["method"] != "independent_tasks"]
    data = data.assign(panel=data["scores"].map(SCORES)).sort_values("panel", kind="stable")
    after_most = data[data["scores"] == "dm_control_500k"].sort_values("estimate", ascending=False, kind="stable")
    chart = interval_panels(data, list(after_most["algorithm"]), columns=2, titles=titles)
    description = "Mean scores of nine algorithms on DM Control with 95 % intervals"
    return theme.finish(chart, description)
