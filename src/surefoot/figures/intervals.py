"""Charts of values with intervals: one row an algorithm."""

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.selection import METHOD_TITLES, rounded

_BAR_SIZES = {"pbp": 17, "pbp_t": 10, "bootstrap": 4}
_BAR_OPACITIES = {"pbp": 0.28, "pbp_t": 0.5, "bootstrap": 1.0}
_ROW = 30  # pixels an algorithm
_COLUMNS = 130  # pixels for score and rank at the right
_NAMES = 110  # pixels for the names at the left


def score_chart(intervals: pd.DataFrame, axis_title: str) -> alt.LayerChart:
    """Aggregate scores of algorithms, best first, with nested intervals, and score and rank written beside.

    Parameters
    ----------
    intervals : columns method, algorithm, title, value, low, high, rank, rank_low, rank_high, confidence, runs,
        replicates; the first method is the one whose ranks are written. With a column `source`, the rows of
        "published" are drawn below the others.
    axis_title : of the score axis
    """
    method = intervals["method"].iloc[0]
    data = rounded(intervals.assign(source=intervals.get("source", "this study")))
    data["interval"] = data["method"].map(METHOD_TITLES)
    data["ranks"] = _ranks(data)
    ours = data[data["source"] == "this study"]
    first = ours[ours["method"] == method].sort_values("rank", kind="stable")
    names = dict(zip(first["algorithm"], first["title"], strict=True))
    height = _ROW * len(names) * (1.6 if len(ours) < len(data) else 1)
    rows = alt.Y("title:N", sort=list(names.values()), title=None, axis=alt.Axis(ticks=False, domain=False))
    base = alt.Chart(data).encode(y=rows, color=_colour(names), tooltip=_tooltip())
    if len(ours) < len(data):
        base = base.encode(yOffset=alt.YOffset("source:N", sort=["this study", "published"]))
    points = base.transform_filter(alt.datum.method == method)
    layers = [] if data["low"].isna().all() else [_bars(base, data, axis_title)]
    layers += [_points(points, axis_title), *_labels(points, first)]
    width = theme.WIDTH - _COLUMNS - _NAMES
    return alt.layer(*layers).properties(width=width, height=height)


def mean_chart(intervals: pd.DataFrame, axis_title: str, columns: int) -> alt.FacetChart:
    """Means of algorithms with their intervals, one panel an environment with an axis of its own.

    `intervals` has the columns algorithm, title, environment_title, value, low, high, rank, rank_low, rank_high,
    confidence and runs.
    """
    data = rounded(intervals)
    data["ranks"] = _ranks(data)
    names = dict(zip(data["algorithm"], data["title"], strict=True))
    rows = alt.Y("title:N", sort=list(names.values()), title=None, axis=alt.Axis(ticks=False, domain=False))
    base = alt.Chart().encode(y=rows, color=_colour(names), tooltip=_tooltip())
    scale = alt.Scale(zero=False)
    bars = base.mark_bar(size=7, opacity=0.4).encode(x=alt.X("low:Q", title=axis_title, scale=scale), x2="high:Q")
    marks = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=alt.X("value:Q", title=axis_title, scale=scale),
        shape=alt.Shape("title:N", scale=theme.shape_scale(names), legend=None),
    )
    layers = [marks] if data["low"].isna().all() else [bars, marks]
    width = (theme.WIDTH - _NAMES - 40 * (columns - 1)) // columns
    panels = list(dict.fromkeys(data["environment_title"]))
    return (
        alt.layer(*layers, data=data)
        .properties(width=width, height=17 * len(names))
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=columns)
        .resolve_scale(x="independent")
    )


def _colour(names: dict[str, str]) -> alt.Color:
    return alt.Color("title:N", scale=theme.colour_scale(names), legend=None)


def _ranks(data: pd.DataFrame) -> list[str]:
    return [
        f"{rank:.0f}" if pd.isna(low) else f"{rank:.0f} ({low:.0f}, {high:.0f})"
        for rank, low, high in zip(data["rank"], data["rank_low"], data["rank_high"], strict=True)
    ]


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("title:N", title="algorithm"),
        alt.Tooltip("value:Q", title="value"),
        alt.Tooltip("low:Q", title="low"),
        alt.Tooltip("high:Q", title="high"),
        alt.Tooltip("ranks:N", title="rank (worst, best)"),
        alt.Tooltip("runs:Q", title="runs", format=","),
        alt.Tooltip("confidence:Q", title="confidence", format=".6~g"),
    ]


def _bars(base: alt.Chart, data: pd.DataFrame, axis_title: str) -> alt.Chart:
    methods = list(dict.fromkeys(data["method"]))
    shown = [METHOD_TITLES[method] for method in methods]
    thinner = 0.6 if data["source"].nunique() > 1 else 1
    sizes = alt.Scale(domain=shown, range=[thinner * _BAR_SIZES[method] for method in methods])
    opacities = alt.Scale(domain=shown, range=[_BAR_OPACITIES[method] for method in methods])
    legend = alt.Legend(orient="top", symbolType="square", symbolFillColor=theme.NEUTRAL, symbolStrokeWidth=0)
    return base.mark_bar().encode(
        x=alt.X("low:Q", title=axis_title, scale=alt.Scale(zero=False)),
        x2="high:Q",
        size=alt.Size("interval:N", scale=sizes, legend=None),
        opacity=alt.Opacity("interval:N", scale=opacities, title="interval", legend=legend),
    )


def _points(base: alt.Chart, axis_title: str) -> alt.Chart:
    marks = base.mark_tick(orient="vertical", thickness=2, size=17, opacity=1)
    return marks.encode(x=alt.X("value:Q", title=axis_title, scale=alt.Scale(zero=False)), color=alt.value(theme.INK))


def _labels(base: alt.Chart, first: pd.DataFrame) -> list[alt.Chart]:
    """Score and rank as columns of text at the right, with their headings above the first row."""
    right = theme.WIDTH - _COLUMNS - _NAMES
    text = base.mark_text(align="right", fontSize=11)
    ink = {"color": alt.value(theme.INK)}
    columns = [
        text.encode(x=alt.value(right + 45), text=alt.Text("value:Q", format=".3f"), **ink),
        text.encode(x=alt.value(right + 120), text="ranks:N", **ink),
    ]
    heads = pd.DataFrame({"text": ["score", "rank (worst, best)"], "right": [right + 45, right + 120]})
    for text_, at in zip(heads["text"], heads["right"], strict=True):
        columns.append(
            alt.Chart(pd.DataFrame({"text": [text_]}))
            .mark_text(align="right", fontSize=11, baseline="bottom", color=theme.NEUTRAL)
            .encode(x=alt.value(at), y=alt.value(-4), text="text:N")
        )
    return columns
