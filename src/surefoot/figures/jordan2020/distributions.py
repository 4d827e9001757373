"""Distributions of performance: Figures 3 and 4 and the figures of Appendix I."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.distributions import distribution_chart, from_zero
from surefoot.figures.jordan2020.selection import GROUPS
from surefoot.figures.selection import bands, rounded, titles
from surefoot.statistics.reproduction import distribution_items

Tables = Mapping[str, pd.DataFrame]
_SHOWN = ("sarsa_parl2", "sarsa", "ac")
_RETURNS = range(0, 1001, 200)
_GUIDE = 400
_COLUMNS = {"sarsa_parl2": -110, "sarsa": -80, "ac": -50}  # where the normalized dots stand, in units of the return


def figure_appendix(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distributions of performance with DKW bands in the environments of `settings["group"]` (Appendix I)."""
    group = GROUPS[settings["group"]]
    numbers = bands(tables)
    numbers = numbers[numbers["environment"].isin(group)].reset_index(drop=True)
    name = settings["group"].replace("_", " ")
    description = f"Distribution of average returns of each algorithm in the {name} environments"
    if numbers.empty:
        chart = theme.message(f"This study has no distributions in any of the {name} environments.")
    else:
        order = {environment: place for place, environment in enumerate(group)}
        numbers = numbers.sort_values("environment", key=lambda names: names.map(order), kind="stable")
        numbers = rounded(numbers.reset_index(drop=True), 6)
        chart = distribution_chart(numbers, settings, "average return", columns=2, height=220)
    return theme.finish(chart, description), numbers


def figure_3(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution functions in cart-pole and what they make of equally spaced returns (Figure 3).

    The numbers are those of the curves (`quantity` is "band") and of the dots ("cdf": what share of the trials of an
    algorithm has at most that return).
    """
    numbers = bands(tables)
    here = (numbers["environment"] == "cart_pole") & numbers["algorithm"].isin(_SHOWN)
    curves = numbers[here].reset_index(drop=True)
    description = "Cumulative distribution of average returns in cart-pole, and the returns 0 to 1,000 normalized by it"
    dots = _dots(tables["collect/runs"])
    numbers = pd.concat([rounded(curves, 6).assign(quantity="band"), dots.assign(quantity="cdf")], ignore_index=True)
    if curves.empty:
        text = "This study has no distributions of Sarsa-Parl2, Sarsa(λ) or AC in cart-pole."
        return theme.finish(theme.message(text), description), numbers
    return theme.finish(_function_chart(curves, dots, settings), description), numbers


def _dots(runs: pd.DataFrame) -> pd.DataFrame:
    """The share of trials with at most each marked return: columns algorithm, environment, score, probability."""
    wanted = pd.DataFrame(
        [(f"{name}/{at}", name, at) for name in _SHOWN for at in _RETURNS], columns=["item", "algorithm", "at"]
    )
    wanted = wanted.assign(quantity="cdf", environment="cart_pole")
    found = distribution_items(runs, wanted).merge(wanted, on="item")
    return found.rename(columns={"at": "score", "ours": "probability"})[
        ["algorithm", "environment", "score", "probability"]
    ]


def _function_chart(curves: pd.DataFrame, dots: pd.DataFrame, settings: Mapping) -> alt.LayerChart:
    shown = [name for name in _SHOWN if name in set(curves["algorithm"])]
    names = titles(shown, settings, "algorithm")
    scales = theme.scales(names)
    legend = alt.Legend(orient="top", title=None, symbolType="stroke", symbolSize=300, symbolOpacity=1)
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend)
    data = rounded(from_zero(curves)).assign(curve=lambda table: table["algorithm"].map(names))
    base = alt.Chart(data[["curve", "score", "probability", "low", "high"]]).encode(x=_x("score"), color=colour)
    area = base.mark_area(interpolate="step-after", opacity=0.22, line=False).encode(y=_y("low"), y2="high:Q")
    line = base.mark_line(interpolate="step-after", strokeWidth=1.8).encode(
        y=_y("probability"),
        order="probability:Q",
        strokeDash=alt.StrokeDash("curve:N", scale=scales.dash, legend=legend),
    )
    marks = dots[dots["algorithm"].isin(shown)]
    marks = rounded(marks.assign(curve=marks["algorithm"].map(names), at=marks["algorithm"].map(_COLUMNS)))
    dot = {"filled": True, "size": 55, "opacity": 1}
    share = alt.Tooltip("probability:Q", title="share of trials at or below", format=".3f")
    tooltip = [alt.Tooltip("curve:N", title="algorithm"), alt.Tooltip("score:Q", title="return"), share]
    normalized = (
        alt.Chart(marks).mark_point(**dot).encode(x=_x("at"), y=_y("probability"), color=colour, tooltip=tooltip)
    )
    returns = pd.DataFrame({"score": list(_RETURNS), "probability": 0.0})
    samples = alt.Chart(returns).mark_point(**dot, color="black").encode(x=_x("score"), y=_y("probability"))
    layers = [area, line, *_guides(marks), samples, normalized, *_words()]
    return alt.layer(*layers).properties(width=theme.WIDTH - 80, height=300)


def _x(field: str) -> alt.X:
    scale = alt.Scale(domain=[-150, 1050], nice=False)
    return alt.X(f"{field}:Q", title="average return", scale=scale, axis=alt.Axis(values=list(_RETURNS)))


def _y(field: str) -> alt.Y:
    scale = alt.Scale(domain=[-0.05, 1.05], nice=False)
    return alt.Y(f"{field}:Q", title="cumulative probability", scale=scale, axis=alt.Axis(tickCount=6))


def _guides(marks: pd.DataFrame) -> list[alt.Chart]:
    """The fence before the normalized dots; dotted lines from one return to the curves and from there to its dots."""
    fence = alt.Chart(pd.DataFrame({"score": [-20]})).mark_rule(strokeDash=[6, 4], color=theme.INK)
    rows = marks.loc[marks["score"] == _GUIDE, ["score", "probability", "at"]]
    up = pd.DataFrame({"score": [_GUIDE], "probability": [0.0], "top": [rows["probability"].max()]})
    style = {"strokeDash": [1, 3], "color": theme.INK}
    return [
        fence.encode(x=_x("score")),
        alt.Chart(rows).mark_rule(**style).encode(x=_x("at"), x2="score:Q", y=_y("probability")),
        alt.Chart(up).mark_rule(**style).encode(x=_x("score"), y=_y("probability"), y2="top:Q"),
    ]


def _words() -> list[alt.Chart]:
    words = []
    for score, probability, text, align in ((-145, 1.03, "normalized", "left"), (1045, 0.04, "samples", "right")):
        place = pd.DataFrame({"score": [score], "probability": [probability], "text": [text]})
        mark = alt.Chart(place).mark_text(align=align, fontSize=11, color=theme.NEUTRAL)
        words.append(mark.encode(x=_x("score"), y=_y("probability"), text="text:N"))
    return words


def figure_4(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of AC in acrobot from samples of 50, 100 and 1,000 trials and from all of them (Figure 4)."""
    description = "Distribution of average returns of AC in acrobot from samples of several sizes, with bands"
    numbers = _samples(tables)
    if numbers.empty:
        return theme.finish(theme.message("This study has no distribution of AC in acrobot."), description), numbers
    numbers = rounded(numbers, 6)
    sizes = list(dict.fromkeys(numbers["sample"]))
    data = rounded(from_zero(numbers, by=["sample"]))
    base = alt.Chart().encode(y=alt.Y("score:Q", title="average return", scale=alt.Scale(zero=False)))
    style = theme.styles(["ac"])["ac"]
    x = {"title": "probability", "scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(tickCount=5)}
    band = base.mark_area(orient="horizontal", interpolate="step-after", line=False, opacity=0.3, color=style.colour)
    curve = base.mark_line(interpolate="step-before", strokeWidth=1.6, color=theme.INK)
    chart = (
        alt.layer(
            band.encode(x=alt.X("low:Q", **x), x2="high:Q"),
            curve.encode(x=alt.X("probability:Q", **x), order="probability:Q"),
            data=data[["sample", "probability", "score", "low", "high"]],
        )
        .properties(width=(theme.WIDTH - 130) // 2, height=190)
        .facet(alt.Facet("sample:N", sort=sizes, title=None), columns=2)
        .resolve_axis(x="independent")
    )
    return theme.finish(chart, description), numbers


def _samples(tables: Tables) -> pd.DataFrame:
    """Curves of Figure 4; of all trials alone where no samples of them were drawn."""
    if "estimate/subsamples" in tables:
        rows = tables["estimate/subsamples"]
        rows = rows[(rows["environment"] == "acrobot") & (rows["algorithm"] == "ac")]
        whole = rows["size"] == rows["runs"]
        shown = rows["size"].map("{:,.0f} trials".format).astype(str)
        return rows.assign(sample=shown.mask(whole, "all " + shown)).reset_index(drop=True)
    rows = bands(tables)
    rows = rows[(rows["environment"] == "acrobot") & (rows["algorithm"] == "ac")]
    runs = tables["collect/runs"]
    count = ((runs["environment"] == "acrobot") & (runs["algorithm"] == "ac")).sum()
    return rows.assign(sample=f"all {count:,} trials").reset_index(drop=True)
