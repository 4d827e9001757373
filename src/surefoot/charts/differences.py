"""Charts and findings. Differences between algorithms, and whether the tasks of a run vary together."""

import math
from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.intervals import interval_marks
from surefoot.charts.names import METRICS, colour_order, named, shown, spoken_metric
from surefoot.charts.selection import rounded
from surefoot.charts.sentences import joined, percent, remarks_of, sharing_of
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric

_MOST_RUNS = 1000
"""Beyond, a number of runs that would settle a difference is not told."""


_ENOUGH = ["runs_to_settle", "fewest_to_settle", "most_to_settle"]


@origin.of_analysis
def pairwise_differences_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """How far the other algorithms lie behind the best one, with intervals of the differences: a panel a metric."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    behind = pd.concat([_from_best(own) for _, own in numbers.groupby("metric", sort=False)], ignore_index=True)
    best_rows = behind.drop_duplicates("metric")
    best_rows = best_rows.assign(other=best_rows["best"], value=0.0, low=0.0, high=0.0)
    behind = pd.concat([best_rows, behind], ignore_index=True)
    first = behind[behind["metric"] == _first_metric(numbers)]
    drawn = best_of_many(first["other"])
    behind = behind[behind["other"].isin(drawn)].reset_index(drop=True)
    best = behind["best"].map(titles)
    panels = named(METRICS, behind["metric"]) + " less that of " + best
    data = rounded(behind[["value", "low", "high", "runs"]]).assign(title=behind["other"].map(titles), panel=panels)
    scales = theme.scales(titles, colour_order(titles))
    x = alt.X("low:Q", title=None, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
    base, bands, points = interval_marks(list(data["title"]), scales.colour, x)
    none = base.mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(
        x=alt.datum(0.0),
        y=alt.value(0),
        y2=alt.value("height"),
        color=alt.value(theme.NEUTRAL),
        tooltip=alt.value(None),
    )
    count = data["panel"].nunique()
    width = max(180, (theme.WIDTH - 120) // count - 22)
    layered = alt.layer(bands, points, none, data=data)
    layered = layered.properties(width=width, height=20 * data["title"].nunique())
    header = alt.Header(labelLimit=width + 40)
    facet: dict[str, Any] = {
        "column": alt.Facet("panel:N", title=None, sort=list(dict.fromkeys(panels)), header=header)
    }
    level = percent(settings["confidence"])
    description = f"{pairwise_differences_finding(numbers, settings)} Bars: {level} intervals of the differences"
    panels_chart = with_count(
        layered.facet(**facet).resolve_scale(x="independent"), len(drawn), len(titles), METRICS[_first_metric(numbers)]
    )
    return panels_chart, description, numbers


def pairwise_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithm is best by the first metric, and from which others these runs separate it."""
    own = table[table["metric"] == _first_metric(table)]
    none = " Where no run differs from another of its task, there is no interval." if own["low"].isna().any() else ""
    return _separated(own, settings) + none + sharing_of(own)


def _separated(own: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    name = own["metric"].iloc[0]
    titles = shown([*own["x"], *own["y"]], settings)
    behind = _from_best(own)
    best = titles[behind["best"].iloc[0]]
    by = f"By {spoken_metric(name)}, {best}"
    first = f"{by} comes first with {written(behind['best_value'].iloc[0], '.3f')}"
    told, unsettled = behind[behind["settled"]], behind[~behind["settled"]]
    if unsettled.empty:
        few = {1: "the other algorithm", 2: "both other algorithms"}
        others = few.get(len(behind), f"all {len(behind)} other algorithms")
        return f"{first}, and is better than {others}: {_amount(told.iloc[0], titles)}."
    nearest = f"{_amount(unsettled.iloc[0], titles)}.{_more_runs(unsettled.iloc[0])}"
    if told.empty:
        what = f"it is better than {titles[behind['other'].iloc[0]]}" if len(behind) == 1 else "it is best"
        return f"{first}, but these runs do not show that {what}: {nearest}"
    return (
        f"{first}. It is better than {_listed(told, titles)}; whether it is better than {_listed(unsettled, titles)} "
        f"is not settled: {nearest}"
    )


def pairwise_differences_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What the chart shows, on a page that says the finding at its head."""
    own = table[table["metric"] == _first_metric(table)]
    titles = shown([*own["x"], *own["y"]], settings)
    nearest = _from_best(own).iloc[0]
    return f"{titles[nearest['other']]} comes nearest to {titles[nearest['best']]}"


def _first_metric(table: pd.DataFrame) -> str:
    return "iqm" if (table["metric"] == "iqm").any() else str(table["metric"].iloc[0])


def pairwise_differences_caption(found: pd.DataFrame, confidence: str) -> str:
    """What the intervals promise, and what speaks against them."""
    pairs = len(found[found["metric"] == found["metric"].iloc[0]])
    together = f"all {pairs} differences between pairs at once" if pairs > 1 else "the difference"
    text = f"Student's intervals, which cover {together} with {confidence} confidence."
    text += " Where one excludes 0 (dashed), the two algorithms are separated."
    text += " Each difference is an algorithm minus the best: where higher is better, those behind lie left of 0."
    return text + remarks_of(found)


def _from_best(own: pd.DataFrame) -> pd.DataFrame:
    """The differences of all others from the best algorithm by a metric, the nearest first.

    Returns
    -------
    columns best, best_value, other, metric, value, low, high, runs, runs_to_settle, fewest_to_settle, most_to_settle,
        settled (whether the interval
        leaves 0 out)
    """
    values = dict(zip(own["x"], own["value_x"], strict=True)) | dict(zip(own["y"], own["value_y"], strict=True))
    smaller_is_better = known_metric(own["metric"].iloc[0]).entry.lower_is_better
    best = (min if smaller_is_better else max)(values, key=lambda name: values[name])
    rows = own[(own["x"] == best) | (own["y"] == best)]
    turned = rows["x"] == best  # other less best
    low, high = rows["low"].mask(turned, -rows["high"]), rows["high"].mask(turned, -rows["low"])
    found = pd.DataFrame(
        {
            "best": best,
            "best_value": values[best],
            "other": rows["y"].where(turned, rows["x"]),
            "metric": rows["metric"],
            "value": rows["value"].mask(turned, -rows["value"]),
            "low": low,
            "high": high,
            "runs": rows["runs"],
            **{name: rows[name] for name in _ENOUGH},
            "settled": (low > 0) | (high < 0),
        }
    )
    nearest = found["value"].abs()
    return found.loc[nearest.sort_values(kind="stable").index].reset_index(drop=True)


def _amount(row: pd.Series, titles: Mapping[str, str]) -> str:
    """How far the best is ahead, whichever way the metric counts."""
    if math.isnan(row["low"]):
        return f"it is {written(abs(row['value']), '.3f')} ahead of {titles[row['other']]}"
    sign = 1.0 if row["value"] > 0 else -1.0
    low, high = sorted((sign * row["low"], sign * row["high"]))
    size, ends = written(abs(row["value"]), ".3f"), f"{written(low, '.3f')} to {written(high, '.3f')}"
    return f"it is {size} ahead of {titles[row['other']]} ({ends})"


def _more_runs(row: pd.Series) -> str:
    """How many runs would settle it, with the band of that number."""
    runs, fewest, most = (row[name] for name in _ENOUGH)
    if math.isinf(fewest):
        return ""
    if runs > _MOST_RUNS:
        return f" If that is the true difference, showing it would take more than {_MOST_RUNS:,} runs per task."
    band = f"{fewest:,.0f} or more" if most > _MOST_RUNS else f"{fewest:,.0f} to {most:,.0f}"
    least = f"about {runs:,.0f} runs per task would show it four times out of five"
    return f" If that is the true difference, {least} (80 % band, as these runs leave it open: {band})."


def _listed(rows: pd.DataFrame, titles: Mapping[str, str]) -> str:
    return joined([titles[name] for name in rows["other"]])
