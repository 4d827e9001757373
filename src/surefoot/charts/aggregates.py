"""Charts and findings of metrics of all tasks together, and of each task on its own."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.forms import interval_panels
from surefoot.charts.names import METHODS, METRICS, SCORES, named, shown, spoken_metric
from surefoot.charts.selection import numbers_of_analysis, titles
from surefoot.charts.sentences import (
    briefly,
    capitalised,
    counted,
    joined,
    most_places,
    percent,
    remarks_of,
    sharing_of,
)
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.metrics.catalogue import metric as known_metric
from surefoot.statistics.ties import exceeds, typical_magnitude


@origin.of_analysis
def aggregates_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The metrics of `settings["analysis"]` with one kind of intervals: a panel a metric and set of scores.

    The intervals are those of the method that the study names first.
    """
    data = _of_first_method(numbers)
    best = best_of_many(_best_first(data)["algorithm"])
    data = data.sort_values("metric", key=lambda names: names != _first_metric(data), kind="stable")
    several = data["scores"].nunique() > 1
    panels = named(METRICS, data["metric"]) + (", " + named(SCORES, data["scores"]) if several else "")
    chart = interval_panels(data.assign(panel=panels), settings, best, data["metric"].nunique())
    chart = with_count(chart, len(best), data["algorithm"].nunique(), spoken_metric(_first_metric(numbers)))
    level = percent(settings["confidence"])
    return chart, f"{', '.join(dict.fromkeys(panels))} of each algorithm with {level} intervals", numbers


def methods_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every kind of bootstrap interval of each metric: columns algorithm, title, metric_title, value, and low and high
    of each method."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame(columns=["algorithm", "title", "metric_title", "value"])
    wide = numbers.pivot(index=["algorithm", "metric", "value"], columns="method", values=["low", "high"])
    wide = wide.set_axis([f"{method}_{end}" for end, method in wide.columns], axis=1).reset_index()
    order = {name: place for place, name in enumerate(dict.fromkeys(numbers["algorithm"]))}
    metrics = {name: place for place, name in enumerate(dict.fromkeys(numbers["metric"]))}
    wide = wide.sort_values(
        ["metric", "algorithm"], key=lambda names: names.map(metrics | order), kind="stable", ignore_index=True
    )
    wide.insert(1, "title", wide["algorithm"].map(shown(order, settings)))
    wide.insert(3, "metric_title", named(METRICS, wide["metric"]))
    return None, wide[["algorithm", "title", "metric_title", "value", *_ends(wide)]]


def _ends(wide: pd.DataFrame) -> list[str]:
    return [f"{method}_{end}" for method in METHODS for end in ("low", "high") if f"{method}_low" in wide]


def aggregates_caption(found: pd.DataFrame) -> str:
    """How many runs, tasks and resamples there are, and what should be known of the intervals that are shown first."""
    low, high = int(found["runs"].min()), int(found["runs"].max())
    tasks, replicates = found["tasks"].iloc[0], found["replicates"].iloc[0]
    # A row has the fewest runs of a task of its algorithm alone.
    each = counted(low, "run") if low == high else f"{counted(low, 'run')} or more of each algorithm"
    where = "on the task" if tasks == 1 else f"on each of {tasks} tasks"
    text = f"{capitalised(each)} {where}, {replicates:,} resamples."
    return text + remarks_of(_of_first_method(found))


def aggregates_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithm is best and which is next, with their intervals.

    Whether these overlap says nothing of their difference: that is the question `pairwise_differences`.
    """
    metric = _first_metric(table)
    smaller_is_better = known_metric(metric).entry.lower_is_better
    own = _best_first(_of_first_method(table))
    names = shown(own["algorithm"], settings)
    # Joined and not filled in by a format: an algorithm may be called ppo{lr=1}.
    parts = [
        (names[row.algorithm], f"{written(row.value, '.3f')} ({written(row.low, '.3f')} to {written(row.high, '.3f')})")
        for row in own.iloc[:2].itertuples()
    ]
    spoken = spoken_metric(metric)
    best = parts[0]
    said = sharing_of(own) + remarks_of(own.iloc[:2][own["low"].iloc[:2] == own["high"].iloc[:2]])
    if len(parts) == 1:
        return f"The {spoken} of {best[0]} is {best[1]}.{said}"
    extreme = "lowest" if smaller_is_better else "highest"
    equal = own[~exceeds(abs(own["value"] - own["value"].iloc[0]), 0.0, typical_magnitude(own["value"].to_numpy()))]
    if len(equal) > 1:
        numbers = joined(list(dict.fromkeys(number for _, number in parts)))
        return f"{briefly([names[name] for name in equal['algorithm']])} share the {extreme} {spoken}, {numbers}.{said}"
    return f"{best[0]} has the {extreme} {spoken}, {best[1]}. Next comes {parts[1][0]}, {parts[1][1]}.{said}"


def _first_metric(table: pd.DataFrame) -> str:
    return "iqm" if (table["metric"] == "iqm").any() else str(table["metric"].iloc[0])


def _best_first(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the IQM, or else of the metric that comes first, the best first."""
    metric = _first_metric(table)
    smaller_is_better = known_metric(metric).entry.lower_is_better
    return table[table["metric"] == metric].sort_values("value", ascending=smaller_is_better, kind="stable")


def _of_first_method(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the method that the study names first: the one it quotes."""
    return table[table["method"] == table["method"].iloc[0]]


_FEW = 30
"""Runs of a task, below which Student's interval misses means of skewed scores or with rare failures in up to half."""


def task_means_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row for each environment and algorithm, by their titles, in the order of the study: columns environment,
    algorithm, runs, mean, low, high."""
    means = tables[f"estimate/{settings['analysis']}"]
    names = shown(means["algorithm"], settings)
    places = titles(means["environment"], settings, "environment")
    order = pd.MultiIndex.from_product([places, names], names=["environment", "algorithm"])
    ordered = means.set_index(["environment", "algorithm"])[["runs", "mean", "low", "high"]]
    ordered = ordered.loc[order[order.isin(ordered.index)]].reset_index()
    return None, ordered.assign(
        environment=ordered["environment"].map(places), algorithm=ordered["algorithm"].map(names)
    )


def task_means_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """In how many environments which algorithm has the highest mean."""
    names = shown(found["algorithm"], settings)
    highest = found.groupby("environment", sort=False)["mean"].transform("max")
    counts = found.loc[found["mean"] == highest, "algorithm"].map(names).value_counts()
    places = found["environment"].nunique()
    if places == 1:
        first = f"{' and '.join(counts.index)} {'has' if len(counts) == 1 else 'share'} the highest mean."
    else:
        best = found.loc[found["mean"] == highest].assign(title=lambda rows: rows["algorithm"].map(names))
        first = f"Highest mean: {most_places(best, places)}."
    return first + _few_runs(found)


def _few_runs(found: pd.DataFrame) -> str:
    """What Student's intervals of few runs assume, and how many of them have no width."""
    told, fewest = "", int(found["runs"].min())
    if 1 < fewest < _FEW:
        told += f" With {fewest} runs, an interval is right only if scores are nearly normal, without rare failures."
    if count := int((found["low"] == found["high"]).sum()):
        whose = "1 interval that has" if count == 1 else f"{count:,} intervals that have"
        told += f" Equal runs give {whose} no width, which means nothing for runs not seen."
    return told


def task_means_caption(means: pd.DataFrame) -> str:
    """What readers of the table of means should know of its intervals; "" if nothing."""
    return f"{_few_runs(means)} {beyond_scores(means)}".strip()


def beyond_scores(means: pd.DataFrame) -> str:
    """A remark where intervals reach below 0 and no run did, or above 1 and all scores are from 0 to 1; else ""."""
    ends = means.groupby("environment", sort=False).agg(least=("least", "min"), greatest=("greatest", "max"))
    ends = ends.loc[means["environment"]].set_axis(means.index)
    below = (ends["least"] >= 0) & (means["low"] < 0)
    above = (ends["least"] >= 0) & (ends["greatest"] <= 1) & (means["high"] > 1)
    count = int((below | above).sum())
    if not count:
        return ""
    what = " and ".join([*(["below 0"] if below.any() else []), *(["above 1"] if above.any() else [])])
    reach = "1 interval reaches" if count == 1 else f"{count:,} intervals reach"
    return f"{reach} {what}, where no run scored: Student's interval knows no bounds of scores."
