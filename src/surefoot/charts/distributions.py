"""Chart of performance distributions in the quantile view: probability to the right, score upwards."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded, titles
from surefoot.charts.sentences import most_places
from surefoot.rounding import written

MOST_ROWS = 4800  # of one chart: a few hundred kilobytes


def distribution_chart(
    bands: pd.DataFrame, settings: Mapping[str, Any], axis_title: str, columns: int, height: int
) -> alt.FacetChart:
    """One panel an environment, one curve with its band an algorithm; the higher the curve, the better.

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
    floors = lower_edges(bands)
    cut = bands["environment"].map(floors)
    for environment, floor in floors.items():
        lowest = bands[(bands["environment"] == environment) & (bands["score"] < floor)]
        if len(lowest):
            name, least = (
                algorithms[lowest["algorithm"].iloc[0]],
                written(float(lowest["score"].min()), ",.0f").replace("-", "\N{MINUS SIGN}"),
            )
            environments[environment] += f", {name} goes down to {least}"
    data = rounded(from_zero(_thinned(bands.assign(score=bands["score"].clip(lower=cut)))))
    data = data.assign(curve=data["algorithm"].map(names), panel=data["environment"].map(environments))
    data = data[["curve", "panel", "probability", "score", "low", "high"]]
    chosen = alt.selection_point(name="chosen_curve", fields=["curve"], bind="legend")
    legend = theme.curve_legend(names.values())
    scales = theme.scales(names, among=sorted(algorithms))
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend)
    base = alt.Chart().encode(
        color=colour, y=alt.Y("score:Q", title=axis_title, scale=alt.Scale(zero=False), axis=alt.Axis(minExtent=44))
    )
    probability = alt.X("low:Q", title="probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    # Vega goes down a horizontal area, from the highest score, and along a line from the lowest: hence the two steps.
    band = base.mark_area(orient="horizontal", interpolate="step-after", line=False).encode(
        x=probability, x2="high:Q", opacity=alt.condition(chosen, alt.value(_paleness(bands)), alt.value(0.02))
    )
    curve = base.mark_line(interpolate="step-before", strokeWidth=1.8).encode(
        x=alt.X("probability:Q", title="probability"),
        strokeDash=alt.StrokeDash("curve:N", scale=scales.dash, legend=legend),
        opacity=alt.condition(chosen, alt.value(1), alt.value(0.1)),
        order="probability:Q",
        tooltip=theme.tooltip(
            curve="algorithm",
            panel="environment",
            score="score",
            probability="share of runs at or below",
            low="low",
            high="high",
        ),
    )
    width = (theme.WIDTH - columns * 62) // columns
    return (
        alt.layer(band, curve, data=data)
        .properties(width=width, height=height)
        .facet(
            alt.Facet("panel:N", sort=list(environments.values()), title=None, header=theme.heading(width)),
            columns=columns,
        )
        .resolve_scale(y="independent", x="shared")
        .resolve_axis(x="independent")
        .add_params(chosen)
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


def lower_edges(bands: pd.DataFrame) -> dict[str, float]:
    """The lowest score that a panel shows, by environment.

    It is that of all runs but where one algorithm alone goes so far down that all others would share less than a third
    of the panel; there it is a little below theirs.

    Parameters
    ----------
    bands : columns algorithm, environment, score
    """
    edges = {}
    for environment, rows in bands.groupby("environment", sort=False):
        lowest = rows.groupby("algorithm")["score"].min().sort_values()
        edges[environment] = float(lowest.iloc[0])
        if len(lowest) > 2:
            span = float(rows["score"].max()) - float(lowest.iloc[1])
            if span > 0 and lowest.iloc[1] - lowest.iloc[0] > 2 * span:
                edges[environment] = float(lowest.iloc[1]) - 0.1 * span
    return edges


def _paleness(bands: pd.DataFrame) -> float:
    """Opacity of the bands: the wider, the paler, or else those of a dozen algorithms hide each other."""
    width = float((bands["high"] - bands["low"]).mean())
    return round(min(0.16, max(0.03, 0.03 / max(width, 0.01))), 3)


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
