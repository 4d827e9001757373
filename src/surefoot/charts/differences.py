"""Charts and findings. Differences between algorithms in metrics, and in success rates."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.forms import INTERVAL, interval_panels
from surefoot.charts.names import METRICS, named, shown, spoken_metric
from surefoot.charts.selection import against, titles
from surefoot.charts.sentences import capitalised, counted, joined, percent, remarks_of, sharing_of
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric

_MOST_RUNS = 1000
"""Beyond, a number of runs that would settle a difference is not told."""


_ENOUGH = ["runs_to_settle", "fewest_to_settle", "most_to_settle"]


@origin.of_analysis
def pairwise_differences_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """How far the other algorithms lie behind the best one, with intervals of the differences: a panel a metric."""
    names, metric = shown([*numbers["x"], *numbers["y"]], settings), _first_metric(numbers)
    behind = pd.concat([_by_metric(own) for _, own in numbers.groupby("metric", sort=False)], ignore_index=True)
    behind = behind.assign(panel=named(METRICS, behind["metric"]) + " difference from " + behind["best"].map(names))
    first = behind[behind["metric"] == metric]
    order = [first["best"].iloc[0], *first["other"]]
    level = percent(settings["confidence"])
    description = f"{pairwise_differences_finding(numbers, settings)} Bars: {level} intervals of the differences"
    return _panels(behind, settings, order, METRICS[metric], None, INTERVAL), description, numbers


def _panels(
    behind: pd.DataFrame,
    settings: Mapping[str, Any],
    best_first: Sequence[str],
    by: str,
    axis: str | None,
    tooltip: Mapping[str, str],
) -> alt.TopLevelMixin:
    """The rows of `_from_best`, below each best one, in panels."""
    itself = behind.drop_duplicates("panel").assign(value=0.0, low=0.0, high=0.0, other=lambda rows: rows["best"])
    rows, drawn = pd.concat([itself, behind]).rename(columns={"other": "algorithm"}), best_of_many(best_first)
    chart = interval_panels(rows, settings, drawn, 3, axis, tooltip, reference=0.0)
    return with_count(chart, len(drawn), rows["algorithm"].nunique(), by)


def pairwise_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithm is best by the first metric, and from which others these runs separate it."""
    own = table[table["metric"] == _first_metric(table)]
    none = " Where no run differs from another of its task, there is no interval." if own["low"].isna().any() else ""
    return _separated(own, settings) + none + sharing_of(own)


def _separated(own: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    name = own["metric"].iloc[0]
    titles = shown([*own["x"], *own["y"]], settings)
    behind = _by_metric(own)
    best = titles[behind["best"].iloc[0]]
    by = f"By {spoken_metric(name)}, {best}"
    value = written(behind["best_value"].iloc[0], ".3f")
    told, unsettled = behind[behind["settled"]], behind[~behind["settled"]]
    if unsettled.empty:
        few = {1: "the other algorithm", 2: "both other algorithms"}
        others = few.get(len(behind), f"all {len(behind)} other algorithms")
        return f"{by} is better than {others}. With {value}, {_amount(told.iloc[0], titles)}."
    nearest = f"With {value}, {_amount(unsettled.iloc[0], titles)}.{_more_runs(unsettled.iloc[0])}"
    if told.empty:
        what = f"it is better than {titles[behind['other'].iloc[0]]}" if len(behind) == 1 else "it is best"
        return f"{by} comes first, but these runs do not show that {what}. {nearest}"
    settled = f"{by} comes first, separated from {len(told)} of {counted(len(behind), 'other')}."
    return (
        f"{settled} It is better than {_listed(told, titles)}; whether it is better than {_listed(unsettled, titles)} "
        f"is not settled. {nearest}"
    )


def pairwise_differences_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What the chart shows, on a page that says the finding at its head."""
    own = table[table["metric"] == _first_metric(table)]
    titles = shown([*own["x"], *own["y"]], settings)
    nearest = _by_metric(own).iloc[0]
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


_ANSWER = "estimate/success_rate_differences"
_TESTS = {
    "boschloo": "Boschloo's exact test",
    "pooled z": "the z test",
    "mcnemar": "McNemar's exact test",
    "limits of trainings": "the limits of the trainings' rates",
}
_UNITS = {
    "rollout": "Rollouts are what is replicated: this is about these policies, whatever other trainings would give.",
    "start": "Rollouts from the same starts are compared: this is about these policies, whatever other trainings would "
    "give.",
    "training": "Trainings are what is replicated, since rollouts of one are alike: this is about the trainings, "
    "{units} or more of each.",
}
_LEAST = 0.0001


def success_rate_differences_chart(
    tables: Tables, settings: Mapping[str, Any]
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """By how many points the others succeed less often than the best, with intervals: a panel for each environment."""
    numbers = tables[_ANSWER]
    names = shown([*numbers["x"], *numbers["y"]], settings)
    places = titles(numbers["environment"], settings, "environment")
    of_places = numbers.groupby("environment", sort=False)
    behind = pd.concat([_from_best(own, "rate") for _, own in of_places], ignore_index=True)
    panels = behind["environment"].map(places) + ": difference from " + behind["best"].map(names)
    behind = behind.assign(**100.0 * behind[["value", "low", "high"]], panel=panels)
    means = pd.concat(
        [behind[["other", "value"]], behind[["best"]].rename(columns={"best": "other"}).assign(value=0.0)]
    )
    order = means.groupby("other", sort=False)["value"].mean().sort_values(ascending=False, kind="stable").index
    tooltip = {"title": "policy", "value": "percentage points", "low": "low", "high": "high"}
    level = percent(settings["confidence"])
    description = f"{success_rate_differences_finding(numbers, settings)} Bars: {level} intervals"
    chart = _panels(behind, settings, order, "success rate", "percentage points", tooltip)
    return theme.finish(chart, description), numbers


def _from_best(own: pd.DataFrame, measure: str, smaller_is_better: bool = False) -> pd.DataFrame:
    """The differences of all others from the best algorithm, the nearest first.

    Parameters
    ----------
    own : pairs x, y with value, low, high, and the measure of each in columns that end with _x and _y

    Returns
    -------
    the rows of `selection.against` the best, with best, best_value, settled (whether the interval leaves 0 out)
    """
    values = dict(zip(own["x"], own[f"{measure}_x"], strict=True))
    values |= dict(zip(own["y"], own[f"{measure}_y"], strict=True))
    best = (min if smaller_is_better else max)(values, key=lambda name: values[name])
    found = against(own, best)
    found = found.assign(best=best, best_value=values[best], settled=(found["low"] > 0) | (found["high"] < 0))
    return found.sort_values("value", key=abs, kind="stable", ignore_index=True)


def _by_metric(own: pd.DataFrame) -> pd.DataFrame:
    return _from_best(own, "value", known_metric(own["metric"].iloc[0]).entry.lower_is_better)


def success_rate_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many pairs are separated, the clearest of them, and what is replicated."""
    names, places = shown([*table["x"], *table["y"]], settings), titles(table["environment"], settings, "environment")
    clearest = next(table.sort_values("p_adjusted", kind="stable").itertuples())
    where = f" in {places[clearest.environment]}" if table["environment"].nunique() > 1 else ""
    first, second = (clearest.x, clearest.y) if clearest.value >= 0.0 else (clearest.y, clearest.x)
    rates = sorted((clearest.rate_x, clearest.rate_y), reverse=True)
    ends = sorted((clearest.low, clearest.high) if clearest.value >= 0.0 else (-clearest.high, -clearest.low))
    adjusted = "" if len(table) == 1 else f", adjusted for all pairs {_probability(clearest.p_adjusted)}"
    amount = (
        f"{_share(rates[0])} against {_share(rates[1])}, by {_points(rates[0] - rates[1])} points "
        f"({_points(ends[0])} to {_points(ends[1])}; p {_probability(clearest.p_value)} by "
        f"{_TESTS[clearest.test]}{adjusted})"
    )
    separated = int(table["separated"].sum())
    if separated:
        clear = f"{names[first]} succeeds more often than {names[second]}{where}: {amount}."
    else:
        clear = f"{names[first]} is not shown to succeed more often than {names[second]}{where}: {amount}."
    if len(table) > 1:
        pairs = f"{separated or 'None'} of {counted(len(table), 'pair')} {'is' if separated == 1 else 'are'} separated"
        clear = f"{pairs} at {percent(settings['confidence'])} together. Clearest: {clear}"
    fewest = int(table[["units_x", "units_y"]].min(axis=None))
    return f"{clear} {_UNITS[clearest.unit].format(units=fewest)}"


def _points(difference: float) -> str:
    return written(100.0 * difference, ".1f")


def _probability(p_value: float) -> str:
    return f"= {written(p_value, '#.2g')}" if p_value >= _LEAST else f"< {_LEAST:g}"


def sequential_success_rates_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many pairs are decided, and the clearest of them."""
    names, places = shown([*table["x"], *table["y"]], settings), titles(table["environment"], settings, "environment")
    row = next(table.sort_values("p_value", kind="stable").itertuples())
    first, second = (row.x, row.y) if row.value >= 0.0 else (row.y, row.x)
    rates = sorted((row.rate_x, row.rate_y), reverse=True)
    where = f" in {places[row.environment]}" if table["environment"].nunique() > 1 else ""
    amount = f"{_share(rates[0])} against {_share(rates[1])} in {row.trials} trials of each"
    after = f"decided after {row.decided}"
    if row.separated:
        clear = f"{names[first]} succeeds more often than {names[second]}{where}, {after}: {amount}."
    else:
        clear = f"{names[first]} is not yet shown to succeed more often than {names[second]}{where}: {amount}."
    separated = int(table["separated"].sum())
    if len(table) > 1:
        clear = f"{separated or 'None'} of {counted(len(table), 'pair')} decided so far. Clearest: {clear}"
    return f"{clear} This holds however often one looks, at {percent(settings['confidence'])} for all pairs together."


def evaluation_scores_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest mean score, and what is replicated."""
    names = shown(found["algorithm"], settings)
    ordered = found[found["metric"] == "mean"].sort_values("value", ascending=False, kind="stable")
    told = [
        f"{names[row.algorithm]}, {written(row.value, '.3f')}"
        + ("" if pd.isna(row.low) else f" ({written(row.low, '.3f')} to {written(row.high, '.3f')})")
        for row in (next(ordered.itertuples()), next(ordered.tail(1).itertuples()))
    ]
    first = ordered.iloc[0]
    units = counted(int(first["items"]), "item")
    if first["clusters"] < first["items"]:
        units += f" in {counted(int(first['clusters']), 'cluster')}"
    extremes = f"Highest mean score: {told[0]}; lowest: {told[1]}" if len(ordered) > 1 else f"Mean score: {told[0]}"
    remark = next(filter(None, found["remark"]), "")
    reservation = f" {capitalised(remark)}." if remark else ""
    return (
        f"{extremes}. The intervals ({percent(settings['confidence'])} each) are about "
        f"items like these {units}.{reservation}"
    )


def success_rates_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest rate, and how much trials of a run are alike."""
    names, places = shown(found["algorithm"], settings), titles(found["environment"], settings, "environment")
    several = found["environment"].nunique() > 1

    def told(row: Any) -> str:
        where = f" in {places[row.environment]}" if several else ""
        return f"{names[row.algorithm]}{where}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"

    ordered = found.sort_values("rate", ascending=False, kind="stable")
    highest, lowest = (told(next(part.itertuples())) for part in (ordered.head(1), ordered.tail(1)))
    extremes = f"Highest success rate: {highest}; lowest: {lowest}" if len(found) > 1 else f"Success rate: {highest}"
    alike = found["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    return (
        f"{extremes}. The intervals ({percent(settings['confidence'])} each) "
        f"treat runs, not single trials, as independent{correlated}."
    )


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
