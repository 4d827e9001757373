"""Distributions of performance: Figures 3 and 4 and the figures of Appendix I."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.distributions import distribution_chart, from_zero
from surefoot.charts.selection import bands, published_values, rounded, titles
from surefoot.papers.jordan2020.evidence import GROUPS
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import distribution_items

FEWEST = 50
"""Trials of a pair: the curve of fewer is a staircase in a band that spans most of the picture."""
_SHOWN = ("sarsa_parl2", "sarsa", "ac")
_RETURNS = range(0, 1001, 200)
_GUIDE = 400
_COLUMNS = {"sarsa_parl2": -110, "sarsa": -80, "ac": -50}  # where the normalized dots stand, in units of the return


def figure_appendix(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distributions of performance with DKW bands in the environments of `settings["group"]` (Appendix I).

    Environments in which some algorithm has fewer than `FEWEST` trials are left out: no rows where that leaves none.
    """
    group = GROUPS[settings["group"]]
    numbers = bands(tables)
    known = enough_trials(tables)
    numbers = numbers[numbers["environment"].isin([name for name in group if name in known])].reset_index(drop=True)
    name = settings["group"].replace("_", " ")
    if numbers.empty:
        text = f"This study has no {name} environment with {FEWEST} trials of each algorithm."
        return theme.finish(theme.message(text), text), numbers
    order = {environment: place for place, environment in enumerate(group)}
    numbers = numbers.sort_values("environment", key=lambda names: names.map(order), kind="stable")
    numbers = rounded(numbers.reset_index(drop=True), 6)
    chart = distribution_chart(numbers, settings, "average return", columns=2, height=220)
    description = f"Distribution of average returns of each algorithm in the {name} environments"
    return theme.finish(chart, description), numbers


def enough_trials(tables: Tables) -> list[str]:
    """The environments in which every algorithm of the study has `FEWEST` trials or more."""
    sizes = tables["collect/runs"].groupby(["environment", "algorithm"], sort=False).size()
    fewest = sizes.groupby("environment", sort=False).min()
    return list(fewest[fewest >= FEWEST].index)


def figure_3(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution functions in cart-pole and what they make of equally spaced returns (Figure 3), of the large run
    where it has more trials of all three algorithms.

    The numbers are those of the curves (`quantity` is "band"), of the dots ("cdf": what share of the trials of an
    algorithm has at most that return), and of the points that were read off the paper's picture ("published").
    """
    record = _recorded(tables, "dkw", "cart_pole", _SHOWN)
    if set(record["algorithm"]) == set(_SHOWN):
        curves, dots = record, _dots_of(record)
    else:
        numbers = bands(tables)
        here = (numbers["environment"] == "cart_pole") & numbers["algorithm"].isin(_SHOWN)
        curves, dots = numbers[here].reset_index(drop=True), _dots(tables["collect/runs"])
    description = "Cumulative distribution of average returns in cart-pole, and the returns 0 to 1,000 normalized by it"
    parts = {
        "band": rounded(curves, 6),
        "cdf": dots,
        "published": _published(tables, "cdf", "score", "probability"),
    }
    numbers = pd.concat([part.assign(quantity=name) for name, part in parts.items() if len(part)], ignore_index=True)
    if curves.empty:
        text = "This study has no distributions of Sarsa-Parl2, Sarsa(λ) or AC in cart-pole."
        return theme.finish(theme.message(text), description), numbers
    return theme.finish(_function_chart(parts, settings), description), numbers


def _dots_of(curves: pd.DataFrame) -> pd.DataFrame:
    """As `_dots`, from the curves."""
    rows = []
    for algorithm in _SHOWN:
        curve = curves[curves["algorithm"] == algorithm].sort_values("score", kind="stable")
        place = np.searchsorted(curve["score"].to_numpy(), _RETURNS, side="right")
        shares = np.concatenate([[0.0], curve["probability"].to_numpy()])[place]
        rows += [(algorithm, "cart_pole", at, share) for at, share in zip(_RETURNS, shares, strict=True)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "score", "probability"])


def _published(tables: Tables, quantity: str, at: str, value: str) -> pd.DataFrame:
    """Points read off the paper's pictures: columns algorithm, environment, and those named by `at` and `value`."""
    found = published_values(tables["published"], quantity, ["environment", "algorithm", at])
    return found.astype({at: float}).rename(columns={"value": value})


def _recorded(tables: Tables, method: str, environment: str, algorithms: Sequence[str]) -> pd.DataFrame:
    """Curves of the large run's record, where it has more trials of each than this study; else no rows."""
    columns = ["algorithm", "environment", "size", "probability", "score", "low", "high", "runs"]
    record = tables.get("record_distributions", pd.DataFrame(columns=["method", *columns]))
    here = (record["method"] == method) & (record["environment"] == environment)
    record = record.loc[here & record["algorithm"].isin(algorithms), columns]
    own = tables["collect/runs"].groupby(["algorithm", "environment"]).size()
    ours = [own.get((row.algorithm, row.environment), 0) for row in record.itertuples()]
    return rounded(record[record["runs"] > ours].reset_index(drop=True), 6)


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


def _function_chart(parts: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> alt.LayerChart | alt.FacetChart:
    curves, dots = parts["band"], parts["cdf"]
    shown = [name for name in _SHOWN if name in set(curves["algorithm"])]
    names = titles(shown, settings, "algorithm")
    scales = theme.scales(names)
    legend = theme.curve_legend(names.values())
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend)
    dash = alt.StrokeDash("curve:N", scale=scales.dash, legend=legend)
    columns = ["curve", "score", "probability", "low", "high"]
    data = rounded(from_zero(curves)).assign(curve=lambda table: table["algorithm"].map(names))
    base = alt.Chart(data[columns]).encode(x=_x("score"), color=colour)
    area = base.mark_area(interpolate="step-after", opacity=0.22, line=False).encode(y=_y("low"), y2="high:Q")
    line = base.mark_line(interpolate="step-after", strokeWidth=1.8).encode(
        y=_y("probability"), order="probability:Q", strokeDash=dash
    )
    printed = parts["published"][parts["published"]["algorithm"].isin(shown)]
    printed = printed.assign(curve=printed["algorithm"].map(names))
    rings = (
        alt.Chart(printed[["curve", "score", "probability"]])
        .mark_point(size=60, strokeWidth=1.8, opacity=1)
        .encode(
            x=_x("score"),
            y=_y("probability"),
            color=colour,
            tooltip=theme.tooltip(curve="algorithm", score="return", probability="share printed in the paper"),
        )
    )
    marks = dots[dots["algorithm"].isin(shown)]
    marks = rounded(marks.assign(curve=marks["algorithm"].map(names), at=marks["algorithm"].map(_COLUMNS)))
    dot: dict[str, Any] = {"filled": True, "size": 55, "opacity": 1}
    tooltip = theme.tooltip(curve="algorithm", score="return", probability="share of trials at or below")
    normalized = (
        alt.Chart(marks).mark_point(**dot).encode(x=_x("at"), y=_y("probability"), color=colour, tooltip=tooltip)
    )
    returns = pd.DataFrame({"score": list(_RETURNS), "probability": 0.0})
    samples = alt.Chart(returns).mark_point(**dot, color="black").encode(x=_x("score"), y=_y("probability"))
    layers = [area, line, rings, *_guides(marks), samples, normalized, *_words()]
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
    style: dict[str, Any] = {"strokeDash": [1, 3], "color": theme.INK}
    return [
        fence.encode(x=_x("score")),
        alt.Chart(rows).mark_rule(**style).encode(x=_x("at"), x2="score:Q", y=_y("probability")),
        alt.Chart(up).mark_rule(**style).encode(x=_x("score"), y=_y("probability"), y2="top:Q"),
    ]


def _words() -> list[alt.Chart]:
    words = []
    texts: tuple[tuple[int, float, str, Literal["left", "right"], int], ...] = (
        (-145, 1.03, "normalized", "left", -16),  # above the panel, as it is wider than its column of dots
        (1045, 0.04, "samples", "right", 0),
    )
    for score, probability, text, align, lower in texts:
        place = pd.DataFrame({"score": [score], "probability": [probability], "text": [text]})
        mark = alt.Chart(place).mark_text(align=align, dy=lower, fontSize=theme.TEXT, color=theme.NEUTRAL)
        words.append(mark.encode(x=_x("score"), y=_y("probability"), text="text:N"))
    return words


def figure_4(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of AC in acrobot from samples of several sizes and from all trials (Figure 4), of the large run
    where it has more of them.

    Columns sample, algorithm, environment, size, probability, score, low, high, runs; the rows of the sample
    "published" are the points that were read off the paper's picture, which are in the panel of all trials.
    """
    description = "Distribution of average returns of AC in acrobot from samples of several sizes, with bands"
    numbers = _samples(tables)
    if numbers.empty:
        return theme.finish(theme.message("This study has no distribution of AC in acrobot."), description), numbers
    numbers = rounded(numbers, 6)
    sizes = list(dict.fromkeys(numbers["sample"]))
    printed = _published(tables, "quantile", "probability", "score")
    data = rounded(from_zero(numbers, by=["sample"]))[["sample", "probability", "score", "low", "high"]]
    data = pd.concat(
        [data, *(printed.assign(sample=name)[["sample", "probability", "score"]] for name in sizes if "all" in name)],
        ignore_index=True,
    )
    base = alt.Chart().encode(y=alt.Y("score:Q", title="average return", scale=alt.Scale(zero=False)))
    style = theme.styles(["ac"])["ac"]
    x: dict[str, Any] = {"title": "probability", "scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(tickCount=5)}
    ours, theirs = "isValid(datum.high)", "!isValid(datum.high)"
    band = base.mark_area(orient="horizontal", interpolate="step-after", line=False, opacity=0.3, color=style.colour)
    curve = base.mark_line(interpolate="step-before", strokeWidth=1.6, color=theme.INK)
    rings = base.mark_point(size=45, strokeWidth=1.6, opacity=1, color="#d7500f")
    columns = min(3, len(sizes))
    chart = (
        alt.layer(
            band.encode(x=alt.X("low:Q", **x), x2="high:Q").transform_filter(ours),
            curve.encode(x=alt.X("probability:Q", **x), order="probability:Q").transform_filter(ours),
            rings.encode(x=alt.X("probability:Q", **x)).transform_filter(theirs),
            data=data,
        )
        .properties(width=(theme.WIDTH - 65 * columns) // columns, height=190)
        .facet(alt.Facet("sample:N", sort=sizes, title=None), columns=columns)
        .resolve_axis(x="independent")
    )
    numbers = pd.concat([numbers, printed.assign(sample="published")], ignore_index=True)
    return theme.finish(chart, description), numbers


def _samples(tables: Tables) -> pd.DataFrame:
    """Curves of Figure 4, of the record where it has more trials; of all trials alone where no samples were drawn.

    A sample of more than half of all trials is left out: it looks like all of them.
    """
    record = _recorded(tables, "subsamples", "acrobot", ["ac"])
    if len(record):
        rows = record
    elif "estimate/sample_distributions" in tables:
        rows = tables["estimate/sample_distributions"]
        rows = rows[(rows["environment"] == "acrobot") & (rows["algorithm"] == "ac")]
    else:
        rows = bands(tables)
        rows = rows[(rows["environment"] == "acrobot") & (rows["algorithm"] == "ac")]
        runs = tables["collect/runs"]
        count = int(((runs["environment"] == "acrobot") & (runs["algorithm"] == "ac")).sum())
        rows = rows.assign(size=count, runs=count)
    rows = rows[(rows["size"] == rows["runs"]) | (2 * rows["size"] <= rows["runs"])].reset_index(drop=True)
    shown = rows["size"].map("{:,.0f} trials".format).astype(str)
    return rows.assign(sample=shown.mask(rows["size"] == rows["runs"], "all " + shown))
