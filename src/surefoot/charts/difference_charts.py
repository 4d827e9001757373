"""Charts and summary sentences for differences between algorithms, in metrics and in success rates."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import interval_panels
from surefoot.charts.names import METRICS, Titles, named, spoken_metric, titles_of
from surefoot.charts.selection import against, first_metric, lower_is_better
from surefoot.charts.sentences import by_whole_runs, capitalised, estimate, percent, sharing_of, unlike_runs_of
from surefoot.errors import conjugated, counted
from surefoot.rounding import joined, written

_MOST_RUNS = 1000
"""Largest number of required runs that a finding states; beyond it, the finding says "more than"."""


def pairwise_differences_chart(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw the differences from the best algorithm, or from the baseline, with intervals.

    There is one panel per metric, and with `per_task` also per environment.
    """
    names = titles_of([*table["algorithm"], *table["baseline"]], titles)
    metric = first_metric(table)
    keys = ["environment", "metric"] if "environment" in table else ["metric"]
    behind = pd.concat([_from_reference(pairs) for _, pairs in table.groupby(keys, sort=False)], ignore_index=True)
    panels = named(METRICS, behind["metric"]) + " difference from " + behind["best"].map(names)
    if "environment" in behind:
        panels = behind["environment"].map(titles_of(behind["environment"], environment_titles)) + ": " + panels
    behind = behind.assign(panel=panels)
    first = behind[behind["metric"] == metric]
    order = list(dict.fromkeys([first["best"].iloc[0], *first["other"], *first["best"]]))
    finding = pairwise_differences_finding(
        table, titles=titles, environment_titles=environment_titles, confidence_level=confidence_level
    )
    description = f"{finding} Bars: {percent(confidence_level)} intervals of the differences"
    chart = _panels(behind, order, METRICS[metric], None, titles)
    return theme.finish(chart, description)


def _panels(
    behind: pd.DataFrame, best_first: Sequence[str], by: str, axis: str | None, titles: Titles
) -> alt.TopLevelMixin:
    """Draw the rows of `_from_best` in panels, with an additional row for the reference algorithm of each panel."""
    itself = behind.drop_duplicates("panel").assign(estimate=0.0, low=0.0, high=0.0, other=lambda rows: rows["best"])
    rows = pd.concat([itself, behind])
    rows = rows.assign(algorithm=rows["other"])
    return interval_panels(rows, best_first, 3, by, axis, reference=0.0, titles=titles)


def pairwise_differences_finding(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report the best algorithm, the algorithms that are significantly worse, and the lead of the best.

    The lead is over the nearest algorithm that is not significantly worse, or else over the nearest of all. With a
    baseline, or for single tasks, report the significant comparisons instead.
    """
    rows = table[table["metric"] == first_metric(table)]
    names = titles_of([*rows["algorithm"], *rows["baseline"]], titles)
    by = f"by {spoken_metric(rows['metric'].iloc[0])}"
    if "environment" in rows or "comparisons" in rows:
        text = _separated(rows, names, by, environment_titles, confidence_level)
        return text + sharing_of(rows) + unlike_runs_of(rows)
    every = _from_reference(rows)
    behind = every.dropna(subset="low")
    best = names[every["best"].iloc[0]]
    unknown = [names[name] for name in every.loc[every["low"].isna(), "other"]]
    if behind.empty:
        return f"{capitalised(by)}, {joined([best, *unknown])} are not compared{_why_not(rows)}."
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
    sign = -1.0 if nearest["estimate"] < 0 else 1.0
    ahead = estimate(abs(nearest["estimate"]), *sorted((sign * nearest["low"], sign * nearest["high"])))
    text += f" With {written(nearest['best_value'], '.3f')}, it is ahead of {names[nearest['other']]} by {ahead}."
    if not settled.all():
        text += _more_runs(nearest)
    if unknown:
        text += f" {joined([best, *unknown])} are not compared with each other{_why_not(rows)}."
    whole_runs = by_whole_runs(nearest, "the interval of that difference", sign)
    return text + sharing_of(rows) + whole_runs + unlike_runs_of(rows)


def _why_not(rows: pd.DataFrame) -> str:
    """Return, in parentheses, why some pairs are not compared; an empty string if no reason is recorded."""
    remarks = rows.loc[rows["low"].isna(), "remark"] if "remark" in rows else []
    return next((f" ({remark})" for remark in remarks), "")


_MOST_NAMED = 8
"""Largest number of comparisons that are named; if there are more, only their number is stated."""


def _separated(
    comparisons: pd.DataFrame, names: Mapping[str, str], by: str, environment_titles: Titles, confidence_level: float
) -> str:
    """Report which comparisons with a baseline, or in single tasks, are significant."""
    apart = comparisons[comparisons["separated"].astype(bool)]
    is_of_tasks = "environment" in comparisons
    places: dict[Any, str] = _places(comparisons, environment_titles) if is_of_tasks else {}
    worse = apart["algorithm"].where(apart["better"] != apart["algorithm"], apart["baseline"])
    text = f"{len(apart)} of {counted(len(comparisons), 'comparison')} {by} "
    verb = "is" if 1 in (len(apart), len(comparisons)) else "are"
    text += f"{verb} separated ({percent(confidence_level)} together)"
    if 0 < len(apart) <= _MOST_NAMED:
        environments = apart["environment"] if "environment" in apart else [None] * len(apart)
        parts = [
            f"{names[better]} is better than {names[other]}{places.get(place, '')}"
            for better, other, place in zip(apart["better"], worse, environments, strict=True)
        ]
        text += f": {'; '.join(parts)}"
    text += "."
    unknown = comparisons[comparisons["low"].isna()]
    if len(unknown):
        pairs = [
            f"{names[row['algorithm']]} with {names[row['baseline']]}{places.get(row.get('environment'), '')}"
            for _, row in unknown.iterrows()
        ]
        which = "; ".join(pairs) if len(pairs) <= _MOST_NAMED else f"{len(pairs)} of them"
        text += f" Not compared: {which}{_why_not(comparisons)}."
    return text


def _more_runs(row: pd.Series) -> str:
    """Report how many fresh runs would separate the algorithms, with limits for that number."""
    runs = row["runs_to_settle"]
    fewest = row["fewest_to_settle"]
    most = row["most_to_settle"]
    if not math.isfinite(fewest):
        return ""
    if runs > _MOST_RUNS:
        return f" If that is the true difference, showing it would take more than {_MOST_RUNS:,} fresh runs per task."
    band = f"{fewest:,.0f} or more" if most > _MOST_RUNS else f"{fewest:,.0f} to {most:,.0f}"
    text = f" If that is the true difference, about {runs:,.0f} fresh runs per task would detect it with 80 % power;"
    text += f" since these runs estimate it poorly, {band} are plausible."
    return f"{text} To add runs to these and look again, use sequential_comparison."


def _from_best(pairs: pd.DataFrame, measure: str, smaller_is_better: bool = False) -> pd.DataFrame:
    """Return the differences of all other algorithms from the best, nearest first; see `_from`."""
    values = _values(pairs, measure)
    return _from(pairs, measure, (min if smaller_is_better else max)(values, key=lambda name: values[name]))


def _values(pairs: pd.DataFrame, measure: str) -> dict[str, float]:
    values = dict(zip(pairs["algorithm"], pairs[f"algorithm_{measure}"], strict=True))
    return values | dict(zip(pairs["baseline"], pairs[f"baseline_{measure}"], strict=True))


def _from(pairs: pd.DataFrame, measure: str, best: str) -> pd.DataFrame:
    """Return the differences of all other algorithms from one algorithm, nearest first.

    Parameters
    ----------
    pairs : columns algorithm, baseline, estimate, low, high, `algorithm_<measure>` and `baseline_<measure>`
    best : the reference algorithm

    Returns
    -------
    the rows of `selection.against`, with the further columns best, best_value (value of the measure for the reference
    algorithm), and settled (True if the interval excludes 0)
    """
    differences = against(pairs, best)
    value = _values(pairs, measure)[best]
    differences = differences.assign(
        best=best, best_value=value, settled=(differences["low"] > 0) | (differences["high"] < 0)
    )
    return differences.sort_values("estimate", key=abs, kind="stable", ignore_index=True)


def _from_reference(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the differences of a metric from the baseline, or from the best algorithm if there is no baseline."""
    if "comparisons" in pairs:
        return _from(pairs, "estimate", str(pairs["baseline"].iloc[0]))
    # Older records do not contain the direction.
    lower = pairs["lower_is_better"].iloc[0] if "lower_is_better" in pairs else lower_is_better(pairs["metric"].iloc[0])
    return _from_best(pairs, "estimate", bool(lower))


_TESTS = {
    "boschloo": "Boschloo's exact test",
    "pooled z": "the z test",
    "mcnemar": "McNemar's exact test",
    "limits of trainings": "the spread of the runs' rates",
}
_UNITS = {
    "rollout": "these policies",
    "start": "these policies",
    "training": "the training runs, {units} or more of each",
}
"""Subject of the finding, by unit of replication. Rollouts show nothing about other training runs."""


def success_rate_differences_chart(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw the differences of success rates from the best algorithm, in percentage points, with intervals.

    There is one panel per environment.
    """
    names = titles_of([*table["algorithm"], *table["baseline"]], titles)
    places = titles_of(table["environment"], environment_titles)
    of_places = table.groupby("environment", sort=False)
    behind = pd.concat([_from_best(pairs, "rate") for _, pairs in of_places], ignore_index=True)
    panels = behind["environment"].map(places) + ": difference from " + behind["best"].map(names)
    behind = behind.assign(**100.0 * behind[["estimate", "low", "high"]], panel=panels)
    means = behind.groupby("other", sort=False)["estimate"].sum().reindex(list(names), fill_value=0.0)
    order = means.sort_values(ascending=False, kind="stable").index
    finding = success_rate_differences_finding(
        table, titles=titles, environment_titles=environment_titles, confidence_level=confidence_level
    )
    description = f"{finding} Bars: {percent(confidence_level)} intervals"
    chart = _panels(behind, order, "success rate", "percentage points", titles)
    return theme.finish(chart, description)


class _Pair(NamedTuple):
    """A pair of algorithms in a result, for use in a sentence.

    row : row of the result
    better : title of the algorithm with the greater rate
    worse : title of the other algorithm, followed by the environment if there are several
    rates : both rates as text
    """

    row: Any
    better: str
    worse: str
    rates: str


def _clearest_pair(table: pd.DataFrame, by: str, titles: Titles, environment_titles: Titles) -> _Pair:
    """Return the pair with the smallest p-value.

    by : column of the p-value
    """
    names = titles_of([*table["algorithm"], *table["baseline"]], titles)
    places = _places(table, environment_titles)
    row = next(table.sort_values(by, kind="stable").itertuples())
    first, second = (row.algorithm, row.baseline) if row.estimate >= 0.0 else (row.baseline, row.algorithm)
    more, less = (_share(rate) for rate in sorted((row.algorithm_rate, row.baseline_rate), reverse=True))
    return _Pair(row, names[first], names[second] + places[row.environment], f"{more} against {less}")


def _places(table: pd.DataFrame, environment_titles: Titles) -> dict[str, str]:
    """Return a phrase for each environment, such as " in Pick"; empty if there is only one."""
    places = titles_of(table["environment"], environment_titles)
    return {name: f" in {title}" if len(places) > 1 else "" for name, title in places.items()}


def success_rate_differences_finding(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report how many pairs differ significantly, the pair with the smallest p-value, and the unit of replication."""
    pair = _clearest_pair(table, "p_adjusted", titles, environment_titles)
    row = pair.row
    separated = int(table["separated"].sum())
    verb = "succeeds" if separated else "is not shown to succeed"
    low, high = sorted((row.low, row.high) if row.estimate >= 0.0 else (-row.high, -row.low))
    difference = estimate(100.0 * abs(row.estimate), 100.0 * low, 100.0 * high, ".1f", "percentage points")
    adjusted = "" if len(table) == 1 else f", adjusted for all pairs p {_probability(row.p_adjusted)}"
    clear = f"{pair.better} {verb} more often than {pair.worse}: {pair.rates}, a difference of {difference}; "
    clear += f"p {_probability(row.p_value)} by {_TESTS[row.test]}{adjusted}."
    if len(table) > 1:
        pairs = f"{separated or 'None'} of {counted(len(table), 'pair')} {conjugated('are', separated)} separated"
        clear = f"{pairs} at {percent(confidence_level)} confidence for all pairs together. Clearest: {clear}"
    if row.unit == "training":
        clear += _of_trainings(table, row)
    about = _UNITS[row.unit].format(units=int(table[["algorithm_units", "baseline_units"]].min(axis=None)))
    return f"{clear} This is about {about}."


def _of_trainings(table: pd.DataFrame, row: Any) -> str:
    """Report how many pairs differ significantly even without assumptions about the rates.

    If no pair differs significantly, report the smallest difference that would have been significant.
    """
    if not table["separated"].any():
        if pd.isna(row.smallest_separable):
            return " With so few training runs, no difference could be separated."
        points = f"{100.0 * row.smallest_separable:.0f} percentage points or more"
        return f" With training runs of this spread, a difference of {points} would have been separated."
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
        f"{written(100.0 * max(low, high), '.1f')} percentage points), "
        "it is not shown: other training runs might collapse."
    )


def _probability(p_value: float) -> str:
    return f"= {written(p_value, '#.2g')}" if p_value >= 0.0001 else "< 0.0001"


def sequential_success_rates_finding(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report how many pairs are decided, and describe the pair with the smallest p-value."""
    pair = _clearest_pair(table, "p_value", titles, environment_titles)
    row = pair.row
    clear = f"{pair.better} is not yet shown to succeed more often than {pair.worse}"
    if row.separated:
        clear = f"{pair.better} succeeds more often than {pair.worse}, decided after {row.decided} trials of each"
    clear = f"{clear}: {pair.rates} in {row.trials} trials of each."
    if len(table) > 1:
        pairs = f"{table['separated'].sum() or 'None'} of {counted(len(table), 'pair')}"
        clear = f"{pairs} decided so far. Clearest: {clear}"
    level = f"{percent(confidence_level)} confidence for all pairs together"
    return f"{clear} This holds however often you look, at {level}."


def _extremes(what: str, texts: Sequence[str]) -> str:
    """Describe the first and last of estimates sorted from high to low; a single one is not called the highest."""
    if len(texts) == 1:
        return f"{what.capitalize()}: {texts[0]}"
    return f"Highest {what}: {texts[0]}; lowest: {texts[-1]}"


def evaluation_scores_finding(table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95) -> str:
    """Report the highest and lowest mean score, and state the unit of replication."""
    names = titles_of(table["algorithm"], titles)
    ordered = table[table["metric"] == "mean"].sort_values("estimate", ascending=False, kind="stable")
    texts = [f"{names[row.algorithm]}, {estimate(row.estimate, row.low, row.high)}" for row in ordered.itertuples()]
    first = ordered.iloc[0]
    units = counted(int(first["items"]), "item")
    if first["clusters"] < first["items"]:
        units += f" in {counted(int(first['clusters']), 'cluster')}"
    remark = next(filter(None, table["remark"]), "")
    reservation = f" {capitalised(remark)}." if remark else ""
    extremes = _extremes("mean score", texts)
    level = percent(confidence_level)
    if table["low"].isna().all():
        return f"{extremes}. {capitalised(units)} cannot say how others would turn out, so there is no interval."
    return f"{extremes}. The intervals ({level} each) are about items like these {units}.{reservation}"


def success_rates_finding(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report the highest and lowest rate, and how strongly trials of one run are correlated."""
    names = titles_of(table["algorithm"], titles)
    places = _places(table, environment_titles)
    texts = [
        f"{names[row.algorithm]}{places[row.environment]}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"
        for row in table.sort_values("rate", ascending=False, kind="stable").itertuples()
    ]
    alike = table["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    extremes = _extremes("success rate", texts)
    level = percent(confidence_level)
    return f"{extremes}. The intervals ({level} each) treat runs, not single trials, as independent{correlated}."


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
