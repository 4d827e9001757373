"""Coverage and width of intervals, and the scores of single games: figures 6, A.14, A.18 and A.19."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import origin, theme
from surefoot.figures.curves import curve_chart
from surefoot.figures.names import HUMAN, METHODS, METRICS, named
from surefoot.figures.selection import numbers_of_analysis, rounded

Tables = Mapping[str, pd.DataFrame]
_LEVEL = 0.95
_PANELS = {False: "without replacement", True: "with replacement"}
_SIZES = alt.X("size:Q", title="number of runs", scale=alt.Scale(type="log", nice=False))


def coverage_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of nominal 95 % intervals of each metric by each method, by number of runs (figure A.19)."""
    return _curves(tables, settings, "value", "coverage (0.95 is right)", zero=False)


def figure_6(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The same of median and IQM."""
    return _curves(tables, settings, "value", "coverage (0.95 is right)", zero=False, metrics=("median", "iqm"))


def width_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean width of nominal 95 % intervals of each method, by number of runs (figure 6)."""
    return _curves(tables, settings, "width", "mean width", zero=True)


def _curves(tables, settings, column, axis_title, zero, metrics=None):
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    asked = numbers["level"].sub(_LEVEL).abs() < 1e-9
    if metrics is not None:
        asked &= numbers["metric"].isin(metrics)
    numbers = numbers[asked].reset_index(drop=True)
    titles = {name: METHODS[name] for name in dict.fromkeys(numbers["method"])}
    several = numbers["replacement"].nunique() > 1
    drawn = numbers["replacement"].map(_PANELS)
    panel = named(METRICS, numbers["metric"]) + (", " + drawn if several else "")
    error = numbers[f"{column}_error"]
    limits = {"low": numbers[column] - 2 * error, "high": numbers[column] + 2 * error}
    data = numbers[["size"]].assign(algorithm=numbers["method"], value=numbers[column], panel=panel, **limits)
    y = alt.Y("value:Q", title=axis_title, scale=alt.Scale(zero=zero))
    chart = curve_chart(data, titles, _SIZES, y, sorted(set(panel), key=list(panel).index), 3, height=190)
    description = f"{axis_title.capitalize()} of nominal 95 % bootstrap intervals by number of runs"
    return origin.finish(chart, description, tables, settings, analysis), numbers


def level_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of percentile intervals of several nominal levels: which level to ask for."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    own = numbers[(numbers["method"] == "percentile") & numbers["replacement"].astype(bool)].reset_index(drop=True)
    titles = {f"{level:g}": f"nominal {100 * level:g} %" for level in sorted(set(own["level"]))}
    limits = {"low": own["value"] - 2 * own["value_error"], "high": own["value"] + 2 * own["value_error"]}
    data = own[["size", "value"]].assign(algorithm=own["level"].map("{:g}".format), **limits)
    data = data.assign(panel=named(METRICS, own["metric"]))
    y = alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False))
    chart = curve_chart(data, titles, _SIZES, y, list(dict.fromkeys(data["panel"])), 3, height=190)
    return origin.finish(chart, "Coverage of percentile intervals by nominal level", tables, settings, analysis), own


def figure_a18(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Coverage of intervals of the mean of each game, by number of runs."""
    numbers = numbers_of_analysis(tables, "figure_a18")
    if numbers is None:
        return origin.nothing(settings)
    base = alt.Chart(rounded(numbers[["environment", "size", "value"]]))
    points = base.mark_point(filled=True, opacity=0.6, size=50, color="#3a78e0").encode(
        x=alt.X("size:O", title="number of runs", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("environment:N"),
        y=alt.Y("value:Q", title="coverage", scale=alt.Scale(zero=False)),
        tooltip=["environment:N", "size:Q", alt.Tooltip("value:Q", format=".3f")],
    )
    rule = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(_LEVEL))
    chart = alt.layer(points, rule, data=base.data).properties(width=theme.WIDTH - 80, height=280)
    description = "Coverage of nominal 95 % intervals of the mean of each of 26 games"
    return origin.finish(chart, description, tables, settings, "figure_a18"), numbers


def figure_a14(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Histograms of the scores of one algorithm in each game."""
    numbers = numbers_of_analysis(tables, "figure_a14")
    if numbers is None:
        return origin.nothing(settings)
    bars = (
        alt.Chart(rounded(numbers[["environment", "low", "high", "count"]]))
        .mark_bar(color="#3a78e0", opacity=0.75)
        .encode(
            x=alt.X("low:Q", title=None, bin="binned", axis=alt.Axis(tickCount=3, labelFontSize=9)),
            x2="high:Q",
            y=alt.Y("count:Q", title=None, axis=alt.Axis(tickCount=3, labelFontSize=9)),
        )
        .properties(width=112, height=60)
    )
    header = alt.Header(labelFontSize=10)
    chart = bars.facet(facet=alt.Facet("environment:N", title=None, header=header), columns=4)
    chart = chart.resolve_scale(x="independent", y="independent")
    description = f"Histograms of the {HUMAN}s of 100 runs of DER in each of 26 games"
    return origin.finish(chart, description, tables, settings, "figure_a14"), numbers
