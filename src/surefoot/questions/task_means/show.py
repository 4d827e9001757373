"""How mean scores in single environments are shown: a table as papers print it."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import shown
from surefoot.charts.selection import titles
from surefoot.result_tables import Tables
from surefoot.rounding import written

_MOST_DECIMALS = 6
_FEW = 30
"""Runs of a task, below which Student's interval misses means of skewed scores or with rare failures in up to half."""


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row an environment: column environment, and mean and interval, as a text, of each algorithm by title."""
    means = tables[f"estimate/{settings['analysis']}"]
    names = shown(means["algorithm"], settings)
    places = titles(means["environment"], settings, "environment")
    cells = means.assign(text=[_cell(row.mean, row.low, row.high) for row in means.itertuples(index=False)])
    wide = cells.pivot(index="environment", columns="algorithm", values="text").fillna("")
    wide = wide.reindex(index=list(places), columns=list(names)).rename(index=places, columns=names)
    wide = wide.rename_axis(index="environment", columns=None)
    return None, wide.rename(columns={"environment": "environment (algorithm)"}).reset_index()


def finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
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


def _cell(mean: float, low: float, high: float) -> str:
    """Digits down to the second one of the interval's half width: more would say nothing."""
    half = (high - low) / 2.0
    if not math.isfinite(half):
        return written(mean, ",.4g")
    decimals = min(max(1 - math.floor(math.log10(half)), 0), _MOST_DECIMALS) if half > 0.0 else 3
    form = f",.{decimals}f"
    return f"{written(mean, form)} ({written(low, form)} to {written(high, form)})"
