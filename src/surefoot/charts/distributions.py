"""Chart of performance distributions: the share of runs above each score."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts.curves import curve_chart
from surefoot.charts.forms import leaders_of
from surefoot.charts.selection import titles
from surefoot.charts.sentences import most_places

MOST_ROWS = 4800  # of one chart: a few hundred kilobytes


def distribution_chart(
    bands: pd.DataFrame, settings: Mapping[str, Any], axis_title: str, columns: int, height: int
) -> alt.TopLevelMixin:
    """The share of runs above each score: one panel an environment, one curve with its band an algorithm; the farther
    to the right a curve, the better.

    Algorithms whose curves are the same in every panel, such as an algorithm and its scaled variant where the scale
    has no effect, share one curve that bears both names.

    Parameters
    ----------
    bands : columns algorithm, environment, probability, score, low, high
    settings : with the titles
    axis_title : of the score axis
    columns : panels a row
    height : of a panel, in pixels
    """
    algorithms = titles(bands["algorithm"], settings, "algorithm")
    environments = titles(bands["environment"], settings, "environment")
    shared = _shared_curves(bands)
    names = {
        first: ", ".join(algorithms[name] for name in algorithms if shared[name] == first)
        for first in dict.fromkeys(shared.values())
    }
    bands = bands[bands["algorithm"].isin(names)]
    data = from_zero(_thinned(bands))
    data = data.assign(panel=data["environment"].map(environments), value=1 - data["probability"])
    data = data.assign(low=1 - data["high"], high=1 - data["low"])
    means = bands.groupby(["environment", "algorithm"], sort=False)["score"].mean().groupby("environment").rank()
    best = means.groupby("algorithm", sort=False).mean().sort_values(ascending=False, kind="stable").index
    x = alt.X("score:Q", title=axis_title, scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=5))
    y = alt.Y("value:Q", title="share of runs above", scale=alt.Scale(domain=[0, 1]))
    return curve_chart(
        data[["algorithm", "panel", "score", "value", "low", "high"]],
        names,
        x,
        y,
        list(environments.values()),
        columns,
        height,
        step=True,
        independent=("x",),
        among=sorted(algorithms),
        leaders=leaders_of(best),
    )


def highest_medians(bands: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Who has the highest median in how many environments; an environment with several counts for each.

    bands : columns algorithm, environment, probability, score
    """
    beyond = bands[bands["probability"] >= 0.5].sort_values("probability", kind="stable")
    medians = beyond.groupby(["environment", "algorithm"], sort=False)["score"].first()
    best = medians[medians == medians.groupby("environment").transform("max")].reset_index()
    best = best.assign(title=best["algorithm"].map(titles(best["algorithm"], settings, "algorithm")))
    return most_places(best, bands["environment"].nunique())


def _shared_curves(bands: pd.DataFrame) -> dict[str, str]:
    """{algorithm: first algorithm with exactly the same curves in all environments}."""
    first: dict[tuple[Any, ...], str] = {}
    shared = {}
    for algorithm, rows in bands.groupby("algorithm", sort=False):
        curve = tuple(rows[["environment", "probability", "score"]].itertuples(index=False, name=None))
        shared[algorithm] = first.setdefault(curve, algorithm)
    return shared


def _thinned(bands: pd.DataFrame) -> pd.DataFrame:
    """Every so many rows of each curve, its last row kept, such that the chart stays small."""
    curves = bands.groupby(["environment", "algorithm"], sort=False)
    step = -(-len(bands) // (MOST_ROWS - 3 * curves.ngroups)) if len(bands) > MOST_ROWS else 1
    position, backwards = curves.cumcount(), curves.cumcount(ascending=False)
    return bands[(backwards % step == 0) | (position == 0)]


def from_zero(bands: pd.DataFrame, by: Sequence[str] = ("environment", "algorithm")) -> pd.DataFrame:
    """With a first point at probability 0 in each curve, so that its step is drawn down to the lowest score's share."""
    first = bands.drop_duplicates(list(by)).assign(probability=0.0)
    return pd.concat([first, bands], ignore_index=True)
