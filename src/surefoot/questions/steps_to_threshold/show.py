"""How the steps to a score are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.axes import steps_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.selection import titles
from surefoot.charts.sentences import joined
from surefoot.result_tables import Tables

_TABLE = "estimate/steps_to_threshold"
_FEW = 20
"""Limits of fewer runs fill the panel, and are left to the table."""


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The share of runs that have reached the score by steps, a panel for each environment."""
    numbers, shares = tables[_TABLE], tables[f"{_TABLE}_curves"]
    named = titles(numbers["algorithm"], settings, "algorithm")
    places = titles(numbers["environment"], settings, "environment")
    data = shares.rename(columns={"share": "value"})
    data = data.assign(panel=data["environment"].map(places)).drop(columns="environment")
    if numbers["runs"].min() < _FEW:
        data = data.drop(columns=["low", "high"])
    x = steps_axis("step")
    y = alt.Y("value:Q", title="share of runs that reached the score", scale=alt.Scale(domain=[0, 1]))
    panels = list(places.values())
    found = curve_chart(data, named, x, y, panels, height=190, step=True, independent=["x"])
    description = f"Share of runs that reached a score by steps, of {', '.join(named.values())}"
    return theme.finish(found, description), numbers


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many runs reached the score, and which algorithm needed the fewest steps where."""
    named = titles(table["algorithm"], settings, "algorithm")
    counts = table.groupby("algorithm", sort=False)[["reached", "runs"]].sum()
    reached = [f"{row.reached:,} of {row.runs:,} runs of {named[row.Index]}" for row in counts.itertuples()]
    said = f"{joined(reached)} reached the score"
    wide = table.pivot(index="environment", columns="algorithm", values="median")
    known = wide.dropna(how="all")
    if known.empty:
        return f"{said}; in no environment did half of the runs reach it."
    soonest = known.eq(known.min(axis=1), axis=0)
    alone = soonest[soonest.sum(axis=1) == 1].sum()
    most = alone[alone == alone.max()].index
    if len(wide) == 1:
        rows = table[table["median"].notna()].sort_values("median", kind="stable").itertuples()
        parts = [f"by step {row.median:,.0f} ({_limits(row)}) for {named[row.algorithm]}" for row in rows]
        return f"{said}; half of them had {joined(parts)}."
    if alone.max() == 0:
        return f"{said}; in no environment does a single algorithm have the lowest median number of steps."
    which = joined([named[name] for name in most])
    each = " each" if len(most) > 1 else ""
    return (
        f"{said}; the median number of steps is lowest for {which} in {alone.max()} of {len(wide)} environments{each}."
    )


def _limits(row: Any) -> str:
    if pd.isna(row.median_high) and row.median_low == 0.0:
        return f"{row.runs} runs leave its limits open"
    if pd.isna(row.median_high):
        return f"{row.median_low:,.0f} or later"
    return f"{row.median_low:,.0f} to {row.median_high:,.0f}"
