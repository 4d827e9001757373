"""Performance profiles: figures 7, 10 left, 11b, 12 left, A.21, A.23, A.24 and A.27, and those of simulated runs."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import AXES, PROFILES, SCORES, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis

Tables = Mapping[str, pd.DataFrame]
_Y = "fraction of runs with score > t"
_BANDS = ["low", "high", "band_low", "band_high"]
_INSET = (0.25, 1.25, 0.4)  # of figure 10: from, to, lowest fraction


def profile_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The profiles of `settings["analysis"]` with both kinds of bands, a panel for each kind or set of scores."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    curves = numbers[numbers["algorithm"] != ""]
    titles = shown(curves["algorithm"], settings)
    panels = [("profile", PROFILES), ("scores", SCORES)]
    column, names = next((pair for pair in panels if curves[pair[0]].nunique() > 1), (None, {}))
    data = curves[["algorithm", "threshold", "value", *_BANDS]]
    if column:
        data = data.assign(panel=named(names, curves[column]))
    order = list(dict.fromkeys(data["panel"])) if column else []
    independent = []
    if analysis == "figure_10_left":
        data, order, independent = _with_inset(data), ["all", "inset"], ["x", "y"]
    x = alt.X("threshold:Q", title=f"{AXES.get(analysis, 'normalized score')} t", scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=_Y)
    among = colour_order(titles)
    chart = curve_chart(data, titles, x, y, order, independent=independent, among=among, step=analysis == "figure_11b")
    description = f"Performance profiles of {', '.join(titles.values())}"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def _with_inset(data: pd.DataFrame) -> pd.DataFrame:
    low, high, least = _INSET
    inside = data["threshold"].between(low, high) & (data["value"] >= least)
    inset = data[inside].assign(panel="inset")
    inset[_BANDS] = inset[_BANDS].clip(lower=least)
    return pd.concat([data.assign(panel="all"), inset], ignore_index=True)


def nonlinear_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Profiles of run scores with a linear and with a non-linear axis, on which distance is a fraction of runs."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[numbers["profile"] == "run_scores"]
    curves, ticks = own[own["algorithm"] != ""], own[own["algorithm"] == ""]
    titles = shown(curves["algorithm"], settings)
    named = {f"{position:.6f}": f"{t:g}" for t, position in zip(ticks["threshold"], ticks["position"], strict=True)}
    labels = "".join(f"abs(datum.value - {position}) < 1e-5 ? '{name}' : " for position, name in named.items())
    axis = alt.Axis(values=[float(position) for position in named], labelExpr=f"{labels}''", grid=True)
    scale = alt.Scale(domain=[curves["position"].min() - 1e-6, curves["position"].max() + 1e-6], nice=False)
    across = {
        "linear": alt.X("threshold:Q", title=f"{AXES[analysis]} t", scale=alt.Scale(nice=False)),
        "nonlinear": alt.X("position:Q", title=f"{AXES[analysis]} t, non-linear", scale=scale, axis=axis),
    }
    charts = []
    for name, x in across.items():
        column = "threshold" if name == "linear" else "position"
        data = curves[["algorithm", column, "value", *_BANDS]]
        y = alt.Y("value:Q", title=_Y if name == "linear" else None)
        charts.append(curve_chart(data, titles, x, y, among=colour_order(titles), width=270, name=f"chosen_{name}"))
    description = f"Performance profiles of {', '.join(titles.values())} with a linear and a non-linear axis"
    return origin.finish(alt.hconcat(*charts), description, tables, settings, analysis), numbers


def dominance(numbers: pd.DataFrame, profile: str = "run_scores") -> list[tuple[str, str]]:
    """Pairs of algorithms the first of which is at least as high everywhere and higher somewhere."""
    own = numbers[(numbers["profile"] == profile) & (numbers["algorithm"] != "")]
    curves = {name: part.sort_values("threshold")["value"].to_numpy() for name, part in own.groupby("algorithm")}
    return [
        (x, y)
        for x in curves
        for y in curves
        if x != y and (curves[x] >= curves[y]).all() and (curves[x] > curves[y]).any()
    ]
