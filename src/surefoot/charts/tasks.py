"""Charts and findings. Each task on its own, in the units of its scores."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import shown
from surefoot.charts.selection import titles
from surefoot.charts.sentences import percent
from surefoot.result_tables import Tables
from surefoot.rounding import written

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
        parts = [f"{name} in {count}" for name, count in counts.items()]
        first = f"Highest mean, by environment (of {places}): {', '.join(parts)}."
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


def success_rates_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest rate, and how much trials of a run are alike."""
    names, places = shown(found["algorithm"], settings), titles(found["environment"], settings, "environment")
    several = found["environment"].nunique() > 1

    def told(row: Any) -> str:
        where = f" in {places[row.environment]}" if several else ""
        return f"{names[row.algorithm]}{where}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"

    ordered = found.sort_values("rate", ascending=False, kind="stable")
    highest, lowest = (told(next(part.itertuples())) for part in (ordered.head(1), ordered.tail(1)))
    alike = found["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    return (
        f"Highest success rate: {highest}; lowest: {lowest}. The intervals ({percent(settings['confidence'])} each) "
        f"treat runs, not single trials, as independent{correlated}."
    )


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
