"""Charts and findings. Differences between algorithms in metrics, and in success rates."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.forms import interval_panels
from surefoot.charts.names import METRICS, named, spoken_metric, titles_of
from surefoot.charts.selection import against, first_metric, lower_is_better
from surefoot.charts.sentences import by_whole_runs, capitalised, estimate, percent, sharing_of
from surefoot.result_tables import Tables
from surefoot.rounding import counted, joined, written

_MOST_RUNS = 1000
"""Beyond, a number of runs that would settle a difference is not told."""


@origin.of_analysis
def pairwise_differences_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw how far the other algorithms lie from the best one, or from the baseline, with intervals: a panel for each
    metric, and with each_task for each environment."""
    names, metric = titles_of([*numbers["x"], *numbers["y"]], settings), first_metric(numbers)
    keys = ["environment", "metric"] if "environment" in numbers else ["metric"]
    behind = pd.concat([_from_reference(own) for _, own in numbers.groupby(keys, sort=False)], ignore_index=True)
    panels = named(METRICS, behind["metric"]) + " difference from " + behind["best"].map(names)
    if "environment" in behind:
        panels = behind["environment"].map(titles_of(behind["environment"], settings, "environment")) + ": " + panels
    behind = behind.assign(panel=panels)
    first = behind[behind["metric"] == metric]
    order = list(dict.fromkeys([first["best"].iloc[0], *first["other"], *first["best"]]))
    level = percent(settings["confidence"])
    description = f"{pairwise_differences_finding(numbers, settings)} Bars: {level} intervals of the differences"
    return _panels(behind, settings, order, METRICS[metric], None), description, numbers


def _panels(
    behind: pd.DataFrame,
    settings: Mapping[str, Any],
    best_first: Sequence[str],
    by: str,
    axis: str | None,
) -> alt.TopLevelMixin:
    """The rows of `_from_best`, below each best one, in panels."""
    itself = behind.drop_duplicates("panel").assign(value=0.0, low=0.0, high=0.0, other=lambda rows: rows["best"])
    rows = pd.concat([itself, behind]).rename(columns={"other": "algorithm"})
    return interval_panels(rows, settings, best_first, 3, by, axis, reference=0.0)


def pairwise_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say which algorithm is best by the first metric, from which others these runs separate it, and how far it is
    ahead of the nearest that they do not, or of the nearest of all; of a baseline or each task, what is separated."""
    own = table[table["metric"] == first_metric(table)]
    names = titles_of([*own["x"], *own["y"]], settings)
    by = f"by {spoken_metric(own['metric'].iloc[0])}"
    if "environment" in own or "baseline" in own:
        return _separated(own, names, by, settings) + sharing_of(own)
    every = _from_reference(own)
    behind = every.dropna(subset="low")
    best = names[every["best"].iloc[0]]
    unknown = [names[name] for name in every.loc[every["low"].isna(), "other"]]
    if behind.empty:
        return f"{capitalised(by)}, {joined([best, *unknown])} are not compared{_why_not(own)}."
    settled = behind["settled"]
    nearest = behind[settled == settled.all()].iloc[0]
    first = f"{capitalised(by)}, {best}"
    worse = [names[name] for name in behind.loc[settled, "other"]]
    if settled.all():
        text = f"{first} is better than {joined(worse) if unknown or len(worse) == 1 else 'all others'}."
    elif settled.any():
        text = f"{first} comes first, separated from {len(worse)} of {counted(len(behind), 'other')}."
        text += f" It is better than {joined(worse)}."
    else:
        superlative = "better" if len(behind) == 1 else "best"
        text = f"{first} comes first, but these runs do not show that it is {superlative}."
    sign = -1.0 if nearest["value"] < 0 else 1.0
    ahead = estimate(abs(nearest["value"]), *sorted((sign * nearest["low"], sign * nearest["high"])))
    text += f" With {written(nearest['best_value'], '.3f')}, it is ahead of {names[nearest['other']]} by {ahead}."
    if not settled.all():
        text += _more_runs(nearest)
    if unknown:
        text += f" {joined([best, *unknown])} are not compared with each other{_why_not(own)}."
    return text + sharing_of(own) + by_whole_runs(nearest, "the interval of that difference", sign)


def _why_not(own: pd.DataFrame) -> str:
    """Return why pairs are not compared, after what is not; nothing of tables that were recorded without remarks."""
    remarks = own.loc[own["low"].isna(), "remark"] if "remark" in own else []
    return next((f" ({remark})" for remark in remarks), "")


_MOST_NAMED = 8
"""Comparisons that are named; of more, the number is given."""


def _separated(own: pd.DataFrame, names: Mapping[str, str], by: str, settings: Mapping[str, Any]) -> str:
    """Say which comparisons with a baseline, or of single tasks, are separated."""
    apart = own[own["separated"].astype(bool)]
    places: dict[Any, str] = _places(own, settings) if "environment" in own else {}
    worse = apart["x"].where(apart["better"] != apart["x"], apart["y"])
    text = f"{len(apart)} of {counted(len(own), 'comparison')} {by} "
    text += f"{'is' if 1 in (len(apart), len(own)) else 'are'} separated ({percent(settings['confidence'])} together)"
    if 0 < len(apart) <= _MOST_NAMED:
        environments = apart["environment"] if "environment" in apart else [None] * len(apart)
        parts = [
            f"{names[better]} is better than {names[other]}{places.get(place, '')}"
            for better, other, place in zip(apart["better"], worse, environments, strict=True)
        ]
        text += f": {'; '.join(parts)}"
    text += "."
    unknown = own[own["low"].isna()]
    if len(unknown):
        pairs = [
            f"{names[row['x']]} with {names[row['y']]}{places.get(row.get('environment'), '')}"
            for _, row in unknown.iterrows()
        ]
        which = "; ".join(pairs) if len(pairs) <= _MOST_NAMED else f"{len(pairs)} of them"
        text += f" Not compared: {which}{_why_not(own)}."
    return text


def _more_runs(row: pd.Series) -> str:
    """Say how many fresh runs would settle the difference, with the band of that number."""
    runs, fewest, most = row["runs_to_settle"], row["fewest_to_settle"], row["most_to_settle"]
    if not math.isfinite(fewest):
        return ""
    if runs > _MOST_RUNS:
        return f" If that is the true difference, showing it would take more than {_MOST_RUNS:,} fresh runs per task."
    band = f"{fewest:,.0f} or more" if most > _MOST_RUNS else f"{fewest:,.0f} to {most:,.0f}"
    text = f" If that is the true difference, about {runs:,.0f} fresh runs per task would detect it with 80 % power;"
    text += f" as these runs tell it poorly, {band} are plausible."
    return f"{text} To add runs to these and look again, use sequential_comparison."


def _from_best(own: pd.DataFrame, measure: str, smaller_is_better: bool = False) -> pd.DataFrame:
    """Return the differences of all others from the best algorithm, the nearest first; see `_from`."""
    values = _values(own, measure)
    return _from(own, measure, (min if smaller_is_better else max)(values, key=lambda name: values[name]))


def _values(own: pd.DataFrame, measure: str) -> dict[str, float]:
    values = dict(zip(own["x"], own[f"{measure}_x"], strict=True))
    return values | dict(zip(own["y"], own[f"{measure}_y"], strict=True))


def _from(own: pd.DataFrame, measure: str, best: str) -> pd.DataFrame:
    """Return the differences of all others from one algorithm, the nearest first.

    Parameters
    ----------
    own : pairs x, y with value, low, high, and the measure of each in columns that end with _x and _y
    best : the one from which they are

    Returns
    -------
    the rows of `selection.against` it, with best, best_value, settled (whether the interval leaves 0 out)
    """
    found = against(own, best)
    value = _values(own, measure)[best]
    found = found.assign(best=best, best_value=value, settled=(found["low"] > 0) | (found["high"] < 0))
    return found.sort_values("value", key=abs, kind="stable", ignore_index=True)


def _from_reference(own: pd.DataFrame) -> pd.DataFrame:
    """Return the differences of a metric from the baseline, or from the best algorithm where there is none."""
    if "baseline" in own:
        return _from(own, "value", str(own["baseline"].iloc[0]))
    # Tables that were recorded before do not say which direction is better.
    lower = own["lower_is_better"].iloc[0] if "lower_is_better" in own else lower_is_better(own["metric"].iloc[0])
    return _from_best(own, "value", bool(lower))


_TESTS = {
    "boschloo": "Boschloo's exact test",
    "pooled z": "the z test",
    "mcnemar": "McNemar's exact test",
    "limits of trainings": "the spread of the trainings' rates",
}
_UNITS = {"rollout": "these policies", "start": "these policies", "training": "the trainings, {units} or more of each"}
"""What is replicated: whatever other trainings of the policies would give, rollouts do not say."""


def success_rate_differences_chart(
    tables: Tables, settings: Mapping[str, Any]
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """By how many points the others succeed less often than the best, with intervals: a panel for each environment."""
    numbers = tables["estimate/success_rate_differences"]
    names = titles_of([*numbers["x"], *numbers["y"]], settings)
    places = titles_of(numbers["environment"], settings, "environment")
    of_places = numbers.groupby("environment", sort=False)
    behind = pd.concat([_from_best(own, "rate") for _, own in of_places], ignore_index=True)
    panels = behind["environment"].map(places) + ": difference from " + behind["best"].map(names)
    behind = behind.assign(**100.0 * behind[["value", "low", "high"]], panel=panels)
    means = behind.groupby("other", sort=False)["value"].sum().reindex(list(names), fill_value=0.0)
    order = means.sort_values(ascending=False, kind="stable").index
    level = percent(settings["confidence"])
    description = f"{success_rate_differences_finding(numbers, settings)} Bars: {level} intervals"
    chart = _panels(behind, settings, order, "success rate", "percentage points")
    return theme.finish(chart, description), numbers


def _clearest_pair(table: pd.DataFrame, by: str, settings: Mapping[str, Any]) -> tuple[Any, str, str, str]:
    """The row of the pair with the least p-value, who succeeds more often in it, who less, and their rates."""
    names, places = titles_of([*table["x"], *table["y"]], settings), _places(table, settings)
    row = next(table.sort_values(by, kind="stable").itertuples())
    first, second = (row.x, row.y) if row.value >= 0.0 else (row.y, row.x)
    more, less = (_share(rate) for rate in sorted((row.rate_x, row.rate_y), reverse=True))
    return row, names[first], names[second] + places[row.environment], f"{more} against {less}"


def _places(table: pd.DataFrame, settings: Mapping[str, Any]) -> dict[str, str]:
    """Where something holds, after what it is: " in Pick"; nothing where there is one environment."""
    places = titles_of(table["environment"], settings, "environment")
    return {name: f" in {title}" if len(places) > 1 else "" for name, title in places.items()}


def success_rate_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say how many pairs are separated, describe the clearest one, and say what is replicated."""
    row, first, second, rates = _clearest_pair(table, "p_adjusted", settings)
    separated = int(table["separated"].sum())
    verb = "succeeds" if separated else "is not shown to succeed"
    low, high = sorted((row.low, row.high) if row.value >= 0.0 else (-row.high, -row.low))
    points = estimate(100.0 * abs(row.value), 100.0 * low, 100.0 * high, ".1f")
    adjusted = "" if len(table) == 1 else f", adjusted for all pairs {_probability(row.p_adjusted)}"
    clear = f"{first} {verb} more often than {second}: {rates}, a difference in points of {points}; "
    clear += f"p {_probability(row.p_value)} by {_TESTS[row.test]}{adjusted}."
    if len(table) > 1:
        pairs = f"{separated or 'None'} of {counted(len(table), 'pair')} {'is' if separated == 1 else 'are'} separated"
        clear = f"{pairs} at {percent(settings['confidence'])} together. Clearest: {clear}"
    if row.unit == "training":
        clear += _of_trainings(table, row)
    about = _UNITS[row.unit].format(units=int(table[["units_x", "units_y"]].min(axis=None)))
    return f"{clear} This is about {about}."


def _of_trainings(table: pd.DataFrame, row: Any) -> str:
    """Say whether the separated pairs are separated without assumptions, or which difference could have been."""
    if not table["separated"].any():
        if pd.isna(row.smallest_separable):
            return " With so few trainings, no difference could be separated."
        points = f"{100.0 * row.smallest_separable:.0f} points or more"
        return f" With trainings of this spread, a difference of {points} would have been separated."
    confirmed = int((table["separated"] & table["distribution_free_separated"]).sum())
    if len(table) > 1:
        return f" Without assumptions about the rates, {confirmed or 'none'} would be separated."
    if confirmed:
        return " This holds without assumptions about the rates."
    low, high = sorted((row.distribution_free_low, row.distribution_free_high), key=abs)
    if low * high > 0.0:
        return ""
    return (
        f" Without assumptions about the rates ({written(100.0 * min(low, high), '.1f')} to "
        f"{written(100.0 * max(low, high), '.1f')} points), "
        "it is not shown: other trainings might collapse."
    )


def _probability(p_value: float) -> str:
    return f"= {written(p_value, '#.2g')}" if p_value >= 0.0001 else "< 0.0001"


def sequential_success_rates_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many pairs are decided, and the clearest of them."""
    row, first, second, rates = _clearest_pair(table, "p_value", settings)
    clear = f"{first} is not yet shown to succeed more often than {second}"
    if row.separated:
        clear = f"{first} succeeds more often than {second}, decided after {row.decided}"
    clear = f"{clear}: {rates} in {row.trials} trials of each."
    if len(table) > 1:
        pairs = f"{table['separated'].sum() or 'None'} of {counted(len(table), 'pair')}"
        clear = f"{pairs} decided so far. Clearest: {clear}"
    return f"{clear} This holds however often one looks, at {percent(settings['confidence'])} for all pairs together."


def _extremes(what: str, texts: Sequence[str]) -> str:
    """The first and the last of estimates, the highest first; a single one is not called the highest."""
    if len(texts) == 1:
        return f"{what.capitalize()}: {texts[0]}"
    return f"Highest {what}: {texts[0]}; lowest: {texts[-1]}"


def evaluation_scores_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest mean score, and what is replicated."""
    names = titles_of(found["algorithm"], settings)
    ordered = found[found["metric"] == "mean"].sort_values("value", ascending=False, kind="stable")
    texts = [f"{names[row.algorithm]}, {estimate(row.value, row.low, row.high)}" for row in ordered.itertuples()]
    first = ordered.iloc[0]
    units = counted(int(first["items"]), "item")
    if first["clusters"] < first["items"]:
        units += f" in {counted(int(first['clusters']), 'cluster')}"
    remark = next(filter(None, found["remark"]), "")
    reservation = f" {capitalised(remark)}." if remark else ""
    extremes, level = _extremes("mean score", texts), percent(settings["confidence"])
    if found["low"].isna().all():
        return f"{extremes}. {capitalised(units)} cannot say how others would turn out, so there is no interval."
    return f"{extremes}. The intervals ({level} each) are about items like these {units}.{reservation}"


def success_rates_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Name the highest and the lowest rate, and say how much trials of a run are alike."""
    names, places = titles_of(found["algorithm"], settings), _places(found, settings)
    texts = [
        f"{names[row.algorithm]}{places[row.environment]}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"
        for row in found.sort_values("rate", ascending=False, kind="stable").itertuples()
    ]
    alike = found["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    extremes, level = _extremes("success rate", texts), percent(settings["confidence"])
    return f"{extremes}. The intervals ({level} each) treat runs, not single trials, as independent{correlated}."


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
