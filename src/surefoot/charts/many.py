"""What is drawn where there is more than a chart can show: the best of many algorithms, and fewer points of a curve."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme

Chart = TypeVar("Chart", bound=alt.TopLevelMixin)

ALL = 30
"""So many algorithms are all drawn."""
BEST = 20
"""How many are drawn of more than that: the best."""
POINTS = 500
"""About how many points of a curve are drawn: more than most panels have pixels across."""


def best_of_many(best_first: Iterable[str]) -> list[str]:
    """The algorithms to draw, of all in order, the best first: all, or the `BEST` first of more than `ALL`."""
    names = list(dict.fromkeys(best_first))
    return names if len(names) <= ALL else names[:BEST]


def with_count(chart: Chart, drawn: int, algorithms: int, by: str) -> Chart:
    """The chart with a title that says how many algorithms it shows, if these are not all.

    by : what they are the best by
    """
    if drawn == algorithms:
        return chart
    text = f"The best {drawn} of {algorithms:,} algorithms, by {by}"
    return chart.properties(title=alt.TitleParams(text, fontWeight="normal", color=theme.NEUTRAL))


def thinned(curves: pd.DataFrame, by: Sequence[str], x: str, values: Sequence[str]) -> pd.DataFrame:
    """Curves of more than `POINTS` points with fewer: of each of as many equal stretches the ends and the points where
    one of the values is lowest or highest, so that no peak is lost.

    Parameters
    ----------
    curves : a row a point
    by : columns that tell curves from each other
    x : the column that a curve is drawn along
    values : columns that are drawn

    Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A visualization-oriented time series data aggregation", PVLDB
    7(10), 2014.
    """
    sizes = curves.groupby(list(by), sort=False, dropna=False)[x].transform("size") if len(curves) > POINTS else None
    if sizes is None or sizes.max() <= POINTS:
        return curves
    stretches = POINTS // (2 + 2 * len(values))
    kept = []
    for _, rows in curves.groupby(list(by), sort=False, dropna=False):
        if len(rows) <= POINTS:
            kept.append(rows.index.to_numpy())
            continue
        curve = rows.sort_values(x, kind="stable")
        stretch = np.arange(len(curve)) * stretches // len(curve)
        parts = curve[list(values)].reset_index(drop=True).groupby(stretch)
        places = {0, len(curve) - 1} | set(np.flatnonzero(np.diff(stretch))) | set(np.flatnonzero(np.diff(stretch)) + 1)
        for extremes in (parts.idxmin(), parts.idxmax()):
            places |= {int(place) for place in extremes.to_numpy().ravel() if place == place}
        kept.append(curve.index.to_numpy()[sorted(places)])
    return curves.loc[np.sort(np.concatenate(kept))]
