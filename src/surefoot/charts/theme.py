"""The look of all charts: one colour and dash an algorithm, one set of fonts and lines, and their titles.

The colours keep a CIEDE2000 difference of 11 or more from each other for normal sight and under simulated
protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009); the tests compute
it.
"""

import json
import math
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from surefoot.rounding import written


class Style(NamedTuple):
    """How an algorithm is drawn: a colour "#rrggbb", a dash pattern in pixels ([1, 0] is solid)."""

    colour: str
    dash: tuple[int, ...]


LETTER = 7  # pixels of a letter, on average
_SYMBOL = 61  # pixels of what stands around a name in a legend
WIDTH = 680  # pixels, the text width of the pages
BETWEEN = 44  # pixels between panels
_LINE = 16  # pixels of a line of a heading
LABEL = 150  # pixels, for the labels beside a panel
LONGEST = 320  # pixels of such a label
TEXT = 13  # pixels, of all labels: legible beside the 17 of the pages
FONT = "Liberation Sans, Arial, Helvetica, Chart Sans, sans-serif"
"""The first is the one that pictures are measured in, the others have its widths; pages bring Chart Sans along."""
PAPER = "#ffffff"
INK = "#222222"
NEUTRAL = "#6b6b6b"
STRONG = "#00308f"  # of what a chart is about, beside what is neutral
PALE = "#d9d9d9"
GRID = "#ececec"
LINE = "#999999"  # of axes and their ticks
# What stands for a colour on dark pages.
DARK = {
    PAPER: "#14191f",
    INK: "#e4e7ea",
    NEUTRAL: "#a7b0b8",
    PALE: "#4a525b",
    GRID: "#2b323a",
    LINE: "#76808a",
    "#6a9a72": "#59b177",
    "#33cfae": "#67ffb6",
    "#1f5c45": "#2e7f71",
    "#3a78e0": "#698efb",
    "#9cc0ea": "#c2d0fb",
    "#00308f": "#2957e0",
    "#d7500f": "#ed6a06",
    "#f9a03f": "#ffcf17",
    "#6e2a06": "#ae431c",
    "#b0588f": "#cc8aa8",
    "#33313b": "#f8fdff",
    "#fddbc7": "#8a5233",
}

_SOLID, _DASHED, _DOTTED, _MIXED, _LONG = (1, 0), (7, 3), (2, 2), (8, 3, 2, 3), (12, 3)
_DOTS = (12, 3, 2, 3, 2, 3)

# The strongest and most different first, with dashes in turn. Of six dashes two neighbours share one only where their
# colours differ in lightness, so that they are told apart in grey as well; the second turn of the colours begins with
# another dash for that.
_COLOURS = (
    *("#00308f", "#d7500f", "#33cfae", "#b0588f", "#f9a03f", "#33313b"),
    *("#3a78e0", "#6e2a06", "#6a9a72", "#9cc0ea", "#1f5c45"),
)
_DASHES = (_SOLID, _DASHED, _DOTTED, _MIXED, _LONG, _DOTS)


def styles(algorithms: Iterable[str]) -> dict[str, Style]:
    """Style of each algorithm, in the order given; after 11 the colours come again with another dash."""
    result: dict[str, Style] = {}
    for name in algorithms:
        turn, place = divmod(len(result), len(_COLOURS))
        result[name] = Style(_COLOURS[place], _DASHES[(place + 2 * turn + turn // 3) % len(_DASHES)])
    return result


def colours(
    titles: Mapping[str, str], among: Iterable[str] | None = None, leaders: Iterable[str] | None = None
) -> dict[str, str]:
    """{title: colour} for {algorithm: title}.

    `among` are all algorithms of the study where not all of them are shown, since styles depend on it; without it the
    palette is taken in the order of names, whatever order they are shown in.
    `leaders` are those that keep their colours, the others are grey; without it all keep theirs.
    """
    coloured = titles.keys() if leaders is None else {*leaders}
    known = styles(sorted(titles) if among is None else among)
    return {title: known[name].colour if name in coloured else LINE for name, title in titles.items()}


def colour_scale(
    titles: Mapping[str, str], among: Iterable[str] | None = None, leaders: Iterable[str] | None = None
) -> alt.Scale:
    """The scale from titles to `colours` for {algorithm: title}."""
    by_title = colours(titles, among, leaders)
    return alt.Scale(domain=list(by_title), range=list(by_title.values()))


def curve_legend(names: Collection[str]) -> alt.Legend:
    """A legend of curves above the chart, no wider than it."""
    columns = max(1, WIDTH // (_SYMBOL + LETTER * max(map(len, names), default=0)))
    return alt.Legend(
        orient="top",
        columns=columns,
        title=None,
        symbolType="stroke",
        symbolSize=600,
        symbolOpacity=1,
        values=list(names),
    )


TOOLTIP: dict[str, Any] = {"tooltip": alt.Tooltip("tooltip:N"), "description": alt.Description("tooltip:N")}
"""Encodings of marks whose tooltip is the column `tooltip` of their data; such marks are made with aria=True."""


def with_tooltips(table: pd.DataFrame, titles: Mapping[str, str]) -> pd.DataFrame:
    """The table with a column `tooltip`: the values of columns under these titles, such as "algorithm: PPO; score: 1".

    A value that is missing is left out. Numbers have four significant digits.
    """
    texts = []
    for row in table[list(titles)].itertuples(index=False):
        values = zip(titles.values(), row, strict=True)
        shown = [(title, written(value, "figures") if isinstance(value, float) else value) for title, value in values]
        texts.append("; ".join(f"{title}: {value}" for title, value in shown if value not in ("nan", None)))
    return table.assign(tooltip=texts)


def message(text: str) -> alt.Chart:
    """In place of a chart that has nothing to show."""
    return (
        alt.Chart(pd.DataFrame({"text": [text]}))
        .mark_text(fontSize=TEXT, color=NEUTRAL)
        .encode(text="text:N")
        .properties(width=WIDTH, height=60)
    )


def finish(chart: alt.TopLevelMixin, description: str) -> alt.TopLevelMixin:
    """The chart with the fonts, grid and spacing that all charts share; `description` tells what it shows."""
    # All at once: each of Altair's methods copies the whole chart.
    return chart.properties(description=description).configure(
        aria=False,  # of marks that are not asked to tell their values
        font=FONT,
        background="white",
        padding=6,
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=TEXT,
            titleFontSize=TEXT,
            titleFontWeight="normal",
            titlePadding=8,
            gridColor=GRID,
            domainColor=LINE,
            tickColor=LINE,
            labelLimit=LONGEST,
        ),
        # Flush labels of neighbouring panels and ticks run into each other: "0.00.2".
        axisXQuantitative=alt.AxisConfig(labelFlush=False, labelOverlap="greedy", labelSeparation=4),
        # Or the headings of panels stand the higher, the farther the labels of the axis beside them reach.
        axisYQuantitative=alt.AxisConfig(labelFlush=True, labelOverlap="greedy", labelSeparation=4),
        legend=alt.LegendConfig(labelColor=INK, labelFontSize=TEXT, labelLimit=2 * LABEL, symbolStrokeWidth=2),
        header=alt.HeaderConfig(labelColor=INK, labelFontSize=TEXT, labelFontWeight="bold", labelLimit=2 * LABEL),
        title=alt.TitleConfig(color=INK, fontSize=TEXT, anchor="start", frame="group"),
        # Or the last label of a panel and the first of the next one run into each other.
        facet=alt.CompositionConfig(spacing=BETWEEN),
        concat=alt.CompositionConfig(spacing=BETWEEN),
    )


def rounded(table: pd.DataFrame, digits: int = 5) -> pd.DataFrame:
    """The table with floating-point columns rounded to significant digits, as charts and tables of curves have them."""
    table = table.copy()
    for column in table.columns[table.dtypes == "float64"]:
        table[column] = [float(f"{value:.{digits}g}") for value in table[column]]
    return table


def chart_data(table: pd.DataFrame, digits: int = 5) -> alt.InlineData:
    """The rows of a table for a chart, with numbers rounded to significant digits, to keep it small.

    Altair does not limit their number, as it does for a table; that limit is a setting of the whole process, which is
    the user's.
    """
    return alt.InlineData(values=alt.to_values(rounded(table, digits))["values"])


def in_panels(
    chart: Any,
    titles: Sequence[str],
    columns: int,
    width: float,
    independent: Collection[str] = (),
) -> alt.FacetChart:
    """The chart for each title in the column `panel` of its data, in rows that are as long as each other where that can
    be, with headings in several lines where a title is longer than its panel.

    Parameters
    ----------
    titles : of the panels, in their order
    columns : at most this many stand in a row
    width : of a panel, in pixels
    independent : scales that each panel has of its own
    """
    lines = {title: textwrap.wrap(title, max(10, int(width / LETTER))) for title in titles}
    columns = math.ceil(len(titles) / math.ceil(len(titles) / columns))
    header = alt.Header(labelExpr=f"{json.dumps(lines)}[datum.label]", labelLimit=2 * LABEL)
    facet: Any = chart.facet(alt.Facet("panel:N", title=None, sort=list(titles), header=header), columns=columns)
    if independent:
        # Frames stand in line, with room for the axes between them, whatever the length of their labels.
        headings = _LINE * (max(map(len, lines.values())) - 1)
        across, down = (76 if "y" in independent else BETWEEN), (90 if "x" in independent else 60)
        facet = facet.properties(bounds="flush", align="all", spacing={"row": down + headings, "column": across})
        facet = facet.resolve_scale(**dict.fromkeys(independent, "independent"))
    # Else axes would stand below panels that are not there.
    whole: alt.FacetChart = facet.resolve_axis(x="independent") if len(titles) % columns else facet
    return whole


def headline(chart: alt.TopLevelMixin, finding: str) -> alt.TopLevelMixin:
    """The chart with a sentence of what it shows, which pages set above it.

    Files of pictures and papers go without, as their captions say it.

    The sentence has no full stop, as headlines have none.
    """
    return chart.properties(usermeta={FINDING: finding.removesuffix(".")})


FINDING = "finding"
"""Where the sentence stands in `usermeta` of the chart."""
