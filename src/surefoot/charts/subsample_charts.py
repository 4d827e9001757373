"""Charts and summary sentences for subsamples: metrics with fewer runs, and coverage of intervals."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart, run_numbers_axis
from surefoot.charts.forms import dashed_rule, interval_texts, panels_of
from surefoot.charts.names import METHODS, METRICS, Titles, named, spoken_metric, titles_of
from surefoot.charts.selection import (
    COVERAGE_COLUMNS,
    MEASURES,
    METHOD_TITLES,
    VARIANTS,
    best_first,
    coverage_rows,
    first_metric,
)
from surefoot.charts.sentences import percent
from surefoot.errors import counted
from surefoot.rounding import joined, written


def subsample_metrics_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw, for each number of runs, the range that contains the metric in 95 % of subsamples of that size."""
    metrics = list(dict.fromkeys(table["metric"]))
    labels = titles_of(table["algorithm"], titles)
    data = table[["algorithm", "size", "estimate", "low", "high"]]
    if len(metrics) > 1:
        data = data.assign(panel=named(METRICS, table["metric"]))
    y = alt.Y("estimate:Q", title="score", scale=alt.Scale(zero=False))
    best = best_first(table, "whole")["algorithm"]
    chart = curve_chart(data, labels, run_numbers_axis(table["size"]), y, best_first=best, by="all runs")
    names = joined([f"the {spoken_metric(name)}" for name in metrics])
    return theme.finish(chart, f"95 % range of {names} by number of runs")


def subsample_metrics_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report how many runs are needed for the ranges of the best two algorithms not to overlap.

    The metric is the IQM, or else the first one. For a single algorithm, report how the range narrows.
    """
    ordered = best_first(table, "whole")
    metric = spoken_metric(first_metric(table))
    labels = titles_of(ordered["algorithm"], titles)
    sizes = sorted(ordered["size"].unique())
    ranges = ordered.set_index(["algorithm", "size"])[["low", "high"]].sort_index()
    if len(labels) == 1:
        (only,) = labels
        ends = [
            f"{written(ranges.loc[(only, size), 'low'], '.3f')} and {written(ranges.loc[(only, size), 'high'], '.3f')} "
            f"with {counted(int(size), 'run')}"
            for size in dict.fromkeys((sizes[0], sizes[-1]))
        ]
        return f"The {metric} of {labels[only]} falls between {joined(ends)} in 95 % of draws."
    first, second = (ranges.loc[name] for name in list(labels)[:2])
    overlapping = first.index[(first["low"] <= second["high"]) & (second["low"] <= first["high"])]
    names = joined(list(labels.values())[:2])
    if overlapping.empty:
        return f"With {counted(int(sizes[0]), 'run')} or more, the {metric} ranges of {names} do not overlap."
    last = int(overlapping.max())
    most = "Even with" if last == sizes[-1] else "With up to"
    return f"{most} {counted(last, 'run')}, the {metric} ranges of {names} overlap."


_PANELS = {False: "without replacement", True: "with replacement"}


def interval_coverage_numbers(table: pd.DataFrame, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return the rows of a result of `interval_coverage` for one confidence level."""
    return table[table["level"].sub(confidence_level).abs() < 1e-9].reset_index(drop=True)


def interval_coverage_chart(table: pd.DataFrame, *, confidence_level: float = 0.95) -> alt.TopLevelMixin:
    """Draw the coverage of intervals by method, metric and number of runs, with bands of two standard errors."""
    numbers = interval_coverage_numbers(table, confidence_level=confidence_level)
    several = numbers["replacement"].nunique() > 1
    panel = named(METRICS, numbers["metric"]) + (", " + numbers["replacement"].map(_PANELS) if several else "")
    value = numbers["estimate"]
    reach = 2 * numbers["estimate_error"]
    data = numbers[["size", "estimate"]].assign(algorithm=numbers["method"], panel=panel)
    data = data.assign(low=value - reach, high=value + reach)
    data = data[~_coincides(data)]
    labels = {name: METHODS[name] for name in dict.fromkeys(numbers["method"])}
    y = alt.Y("estimate:Q", title=f"coverage ({confidence_level:g} is right)", scale=alt.Scale(zero=False))
    chart = curve_chart(data, labels, run_numbers_axis(numbers["size"]), y, columns=3, height=190)
    level = percent(confidence_level)
    return theme.finish(chart, f"Coverage of nominal {level} bootstrap intervals by number of runs")


def _coincides(data: pd.DataFrame) -> pd.Series:
    """Return True for the rows of a method whose bands overlap those of the panel's first method everywhere."""
    first = data.groupby(["panel", "size"])[["low", "high"]].transform("first")
    inside = (data["low"] <= first["high"]) & (data["high"] >= first["low"])
    is_first = data["algorithm"] == data.groupby("panel")["algorithm"].transform("first")
    return inside.groupby([data["panel"], data["algorithm"]]).transform("all") & ~is_first


def task_coverages_chart(
    table: pd.DataFrame,
    *,
    confidence_level: float = 0.95,
    description: str = "Coverage of nominal intervals of the mean of each task",
) -> alt.TopLevelMixin:
    """Draw the coverage of intervals of the mean of each task, by number of runs."""
    data = table[["environment", "size", "estimate"]]
    base = alt.Chart(theme.chart_data(theme.with_tooltips(data, {name: name for name in data})))
    points = base.mark_point(filled=True, opacity=0.6, size=50, color="#3a78e0", aria=True).encode(
        x=alt.X("size:O", title="number of runs", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("environment:N"),
        y=alt.Y("estimate:Q", title="coverage", scale=alt.Scale(zero=False)),
        **theme.TOOLTIP,
    )
    rule = dashed_rule(y=alt.datum(confidence_level))
    chart = alt.layer(points, rule).properties(width=theme.WIDTH - 80, height=280)
    sizes = sorted({table["size"].min(), table["size"].max()})
    ends = {size: table.loc[table["size"] == size, "estimate"].agg(["min", "max"]) for size in sizes}
    texts = [
        f"{100 * low:.0f} to {100 * high:.0f} % of subsamples of {size} runs" for size, (low, high) in ends.items()
    ]
    finding = f"Intervals contain the mean of a task in {joined(texts)}"
    return theme.finish(theme.headline(chart, finding), description)


def coverage_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return a result of `coverage` as one row per variant, method and number of trials, with titles of methods."""
    of_variants = {str(variant): rows for variant, rows in table.groupby("variant", sort=False)}
    return with_method_titles(coverage_rows(of_variants))


def with_method_titles(rows: pd.DataFrame) -> pd.DataFrame:
    """Add a column `title`, of the method, to a table from `selection.coverage_rows` unless it is empty."""
    if rows.empty:
        return rows
    titled = rows.copy()
    titled.insert(2, "title", rows["method"].map(lambda name: METHOD_TITLES.get(name, name)))
    return titled


def coverage_chart(table: pd.DataFrame, *, confidence_level: float = 0.95) -> alt.TopLevelMixin:
    """Draw failure rates, separated pairs and widths in a result of `coverage`; see `coverage_figure`."""
    return coverage_figure(coverage_numbers(table), confidence_level)


def coverage_figure(
    numbers: pd.DataFrame, confidence_level: float, published: pd.DataFrame | None = None
) -> alt.TopLevelMixin:
    """Draw failure rates, separated pairs and widths by number of trials, with bars of two Monte Carlo errors.

    There is one panel per measure. A method without failures has no line in the panel of failure rates.

    Parameters
    ----------
    numbers : table from `with_method_titles`
    published : columns method, size, measure and estimate, drawn as rings
    """
    description = "Failure rates, share of pairs separated and mean width of intervals by number of trials of a pair"
    if numbers.empty:
        return theme.finish(theme.message("This study does not simulate coverage."), description)
    parts = []
    for measure, panel in MEASURES.items():
        part = numbers[["method", "title", "variant", "size"]].assign(estimate=numbers[measure], measure=measure)
        reach = 2 * numbers[f"{measure}_error"].fillna(0.0)
        ends = {"low": (part["estimate"] - reach).clip(lower=0.0), "high": part["estimate"] + reach}
        parts.append(part.assign(**ends, panel=panel).dropna(subset="estimate"))
    data = pd.concat(parts, ignore_index=True)
    if published is not None:
        keys = ["method", "size", "measure"]
        data = data.merge(
            published.rename(columns={"estimate": "published"})[[*keys, "published"]], how="left", on=keys
        )
    data = data[data.groupby(["method", "measure"])["estimate"].transform("max") > 0]
    nominal = np.where(data["panel"].str.startswith("misses"), round(1 - confidence_level, 6), np.nan)
    data = data.assign(curve=data["title"], variant=data["variant"].map(VARIANTS), nominal=nominal)
    trials = data["size"].map("{:,.0f} trials".format)
    data["tooltip"] = interval_texts(
        data.assign(title=data["curve"] + ", " + data["variant"] + ", " + trials), "printed"
    )
    names = dict(zip(numbers["method"], numbers["title"], strict=True))
    variants = [title for title in VARIANTS.values() if title in set(data["variant"])]
    dashes = alt.Scale(domain=list(VARIANTS.values()), range=[[4, 3], [1, 0]])
    kinds = alt.Legend(orient="top", title=None, values=variants, symbolType="stroke", symbolSize=600)
    colour = alt.Color(
        "curve:N", scale=theme.colour_scale(names, list(METHOD_TITLES)), legend=theme.curve_legend(names.values())
    )
    y = alt.Y("estimate:Q", title=None, scale=alt.Scale(domain=[0, 1]))
    base = alt.Chart().encode(x=run_numbers_axis(data["size"], "trials per pair"), y=y, color=colour)
    line = base.mark_line(strokeWidth=1.8).encode(
        strokeDash=alt.StrokeDash("variant:N", scale=dashes, legend=kinds if len(variants) > 1 else None)
    )
    layers = [base.mark_rule(strokeWidth=4, opacity=0.4).encode(y="low:Q", y2="high:Q"), line]
    layers.append(base.mark_point(filled=True, size=30, opacity=1, aria=True).encode(**theme.TOOLTIP))
    if published is not None:
        layers.append(
            base.mark_point(size=75, strokeWidth=1.5, opacity=1, aria=True).encode(y="published:Q", **theme.TOOLTIP)
        )
    layers.append(alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y="max(nominal):Q"))
    width = theme.WIDTH // 2 - 60
    chart = alt.layer(*layers, data=theme.chart_data(data.drop(columns=["method", "title", "measure"])))
    chart = chart.properties(width=width, height=170)
    return theme.finish(theme.in_panels(chart, panels_of(data), 2, width), description)


def coverage_table(studies: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Tabulate all results of the question `coverage` in a study.

    The columns are study, variant, method, title, size, datasets, and each measure with its Monte Carlo error, as in
    `coverage_rows`. Without results, the table is empty.

    Parameters
    ----------
    studies : results of `coverage` by the name of the question
    """
    columns = ["study", *COVERAGE_COLUMNS, *(name + end for name in MEASURES for end in ("", "_error"))]
    parts = [table.assign(study=name) for name, table in studies.items()]
    numbers = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    numbers = numbers.reindex(columns=columns)
    numbers.insert(3, "title", numbers["method"].map(lambda name: METHOD_TITLES.get(name, name)))
    return numbers
