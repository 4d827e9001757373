"""Style of all charts: one colour and dash per algorithm, fonts, lines, and titles.

The colours keep a CIEDE2000 difference of 11 or more from each other for normal sight and under simulated
protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009); the tests check this.
"""

import contextlib
import itertools
import json
import math
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

import altair as alt
import pandas as pd

from surefoot.charts.names import PLACES
from surefoot.errors import HintedError
from surefoot.rounding import written

Chart = TypeVar("Chart", bound=alt.TopLevelMixin)


class Style(NamedTuple):
    """Appearance of an algorithm: a colour "#rrggbb" and a dash pattern in pixels ([1, 0] is solid)."""

    colour: str
    dash: tuple[int, ...]


LETTER = 7  # pixels of a letter, on average
SYMBOL = 61  # pixels around a name in a legend
WIDTH = 680  # pixels, the text width of the pages
BETWEEN = 44  # pixels between panels
_LINE = 16  # height of a line of a heading, in pixels
LABEL = 150  # pixels reserved for the labels next to a panel
LONGEST = 320  # largest width of a label next to a panel, in pixels
TEXT = 13  # font size of all labels in pixels; the text of pages has 17
FONT = "Liberation Sans, Arial, Helvetica, Chart Sans, sans-serif"
"""Fonts of charts. Texts are measured in the first font; the others have the same widths, and pages include Chart Sans.
"""
PAPER = "#ffffff"
INK = "#222222"
NEUTRAL = "#6b6b6b"
STRONG = "#00308f"  # for the subject of a chart, in contrast to NEUTRAL
PALE = "#d9d9d9"
GRID = "#ececec"
LINE = "#999999"  # for axes and their ticks
# Counterparts of colours on dark pages.
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

_SOLID = (1, 0)
_DASHED = (7, 3)
_DOTTED = (2, 2)
_MIXED = (8, 3, 2, 3)
_LONG = (12, 3)
_DOTS = (12, 3, 2, 3, 2, 3)

# The strongest and most different colours come first, with dashes in rotation. Neighbours share one of the six dashes
# only if their colours differ in lightness, so that they can be distinguished in grey; the second cycle of the colours
# therefore starts with another dash.
_COLOURS = (
    *("#00308f", "#d7500f", "#33cfae", "#b0588f", "#f9a03f", "#33313b"),
    *("#3a78e0", "#6e2a06", "#6a9a72", "#9cc0ea", "#1f5c45"),
)
_DASHES = (_SOLID, _DASHED, _DOTTED, _MIXED, _LONG, _DOTS)


_STUDY: ContextVar[Sequence[str]] = ContextVar("study", default=())
"""All algorithms of the study that is being drawn, if known."""


@contextlib.contextmanager
def styled_for(algorithms: Sequence[str]) -> Iterator[None]:
    """Give each algorithm of a study the same style in all charts drawn in the block.

    algorithms : all algorithms of the study; empty if they are not known
    """
    token = _STUDY.set(algorithms)
    try:
        yield
    finally:
        _STUDY.reset(token)


def styles(algorithms: Iterable[str]) -> dict[str, Style]:
    """Return the style of each algorithm; after 11, colours repeat with another dash.

    Algorithms in `PLACES` have the same colour on all pages. The others get the unused colours in order. If all
    algorithms belong to the study of `styled_for`, styles are assigned to the whole study, and do not depend on the
    chart.
    """
    algorithms = list(dict.fromkeys(algorithms))
    study = _STUDY.get()
    algorithms = list(study) if set(algorithms).issubset(study) else algorithms
    numbers: dict[str, int] = {}
    for name in algorithms:
        place = PLACES.get(name.casefold())
        if place is not None and place not in numbers.values():
            numbers[name] = place
    free = itertools.filterfalse(set(numbers.values()).__contains__, itertools.count())
    result: dict[str, Style] = {}
    for name in algorithms:
        turn, place = divmod(numbers[name] if name in numbers else next(free), len(_COLOURS))
        result[name] = Style(_COLOURS[place], _DASHES[(place + 2 * turn + turn // 3) % len(_DASHES)])
    return result


def colours(
    titles: Mapping[str, str], among: Iterable[str] | None = None, leaders: Iterable[str] | None = None
) -> dict[str, str]:
    """Return {title: colour} for {algorithm: title}.

    `among` lists all algorithms to which styles are assigned, if only some are shown; by default, the ones shown, in
    alphabetical order. `leaders` keep their colours and the others are grey; by default, all keep their colours.
    """
    coloured = titles.keys() if leaders is None else {*leaders}
    all_styles = styles(sorted(titles) if among is None else among)
    return {title: all_styles[name].colour if name in coloured else LINE for name, title in titles.items()}


def colour_scale(
    titles: Mapping[str, str], among: Iterable[str] | None = None, leaders: Iterable[str] | None = None
) -> alt.Scale:
    """Return a colour scale for titles, given {algorithm: title}; the arguments are those of `colours`."""
    by_title = colours(titles, among, leaders)
    return alt.Scale(domain=list(by_title), range=list(by_title.values()))


def curve_legend(names: Collection[str]) -> alt.Legend:
    """Return a legend of curves, placed above the chart and no wider than it."""
    columns = max(1, WIDTH // (SYMBOL + LETTER * max(map(len, names), default=0)))
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
"""Encodings of marks whose tooltip is the column `tooltip` of their data; such marks need aria=True."""


def with_tooltips(table: pd.DataFrame, titles: Mapping[str, str]) -> pd.DataFrame:
    """Add a column `tooltip` with values and their titles, such as "algorithm: PPO; score: 1".

    Missing values are left out. Numbers have four significant digits.
    """
    texts = []
    for row in table[list(titles)].itertuples(index=False):
        values = zip(titles.values(), row, strict=True)
        shown = [(title, written(value, "figures") if isinstance(value, float) else value) for title, value in values]
        texts.append("; ".join(f"{title}: {value}" for title, value in shown if value not in ("nan", None, "")))
    return table.assign(tooltip=texts)


def message(text: str) -> alt.Chart:
    """Return a text in place of a chart without data."""
    return (
        alt.Chart(pd.DataFrame({"text": [text]}))
        .mark_text(fontSize=TEXT, color=NEUTRAL)
        .encode(text="text:N")
        .properties(width=WIDTH, height=60)
    )


def chart_by(draw: Callable[..., Any], *tables: Any, **arguments: Any) -> alt.TopLevelMixin:
    """Return the chart that a function draws.

    Raises
    ------
    HintedError
        If the function returns anything else than an Altair chart.
    """
    chart = draw(*tables, **arguments)
    if not isinstance(chart, alt.TopLevelMixin):
        what = f"it returns a {type(chart).__name__} instead of an Altair chart"
        hint = "return the chart alone; the table that it takes is saved beside it"
        raise HintedError(f"{draw.__module__}.{draw.__name__}", what, hint)
    return chart


def note_numbers() -> pd.DataFrame:
    """Return the empty table beside a note."""
    return pd.DataFrame(columns=["note"])


def note_chart(*, text: str) -> alt.TopLevelMixin:
    """Return a note that replaces a figure without numbers."""
    return finish(message(text), text)


def finish(chart: alt.TopLevelMixin, description: str) -> alt.TopLevelMixin:
    """Return the chart with the common fonts, grid and spacing, and a description of its content."""
    # Configure everything at once, since each of Altair's methods copies the whole chart.
    return chart.properties(description=description).configure(
        aria=False,  # except for marks with a tooltip
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
        # With labelFlush, tick labels of neighbouring panels run into each other: "0.00.2".
        axisXQuantitative=alt.AxisConfig(labelFlush=False, labelOverlap="greedy", labelSeparation=4),
        # Otherwise the height of panel headings would depend on the width of the axis labels.
        axisYQuantitative=alt.AxisConfig(labelFlush=True, labelOverlap="greedy", labelSeparation=4),
        legend=alt.LegendConfig(labelColor=INK, labelFontSize=TEXT, labelLimit=2 * LABEL, symbolStrokeWidth=2),
        header=alt.HeaderConfig(labelColor=INK, labelFontSize=TEXT, labelFontWeight="bold", labelLimit=2 * LABEL),
        title=alt.TitleConfig(color=INK, fontSize=TEXT, anchor="start", frame="group"),
        # Otherwise the last label of a panel runs into the first label of the next one.
        facet=alt.CompositionConfig(spacing=BETWEEN),
        concat=alt.CompositionConfig(spacing=BETWEEN),
    )


def rounded(table: pd.DataFrame, digits: int = 5) -> pd.DataFrame:
    """Round floating-point columns to significant digits, for charts and tables of curves."""
    table = table.copy()
    for column in table.columns[table.dtypes == "float64"]:
        table[column] = [float(f"{value:.{digits}g}") for value in table[column]]
    return table


def chart_data(table: pd.DataFrame, digits: int = 5) -> alt.InlineData:
    """Return the rows of a table as chart data, with numbers rounded to keep the chart small.

    Altair does not limit the number of rows of such data. For a DataFrame, its limit is a process-wide setting.
    """
    return alt.InlineData(values=alt.to_values(rounded(table, digits))["values"])


def in_panels(
    chart: Any,
    titles: Sequence[str],
    columns: int,
    width: float,
    independent: Collection[str] = (),
) -> alt.FacetChart:
    """Facet the chart by the column `panel` of its data.

    Rows of panels have equal lengths if possible. A heading that is longer than its panel is wrapped.

    Parameters
    ----------
    titles : titles of the panels, in order
    columns : maximum number of panels per row
    width : width of a panel, in pixels
    independent : scales that are not shared between panels
    """
    lines = {title: textwrap.wrap(title, max(10, int(width / LETTER))) for title in titles}
    columns = math.ceil(len(titles) / math.ceil(len(titles) / columns))
    header = alt.Header(labelExpr=f"{json.dumps(lines)}[datum.label]", labelLimit=2 * LABEL)
    facet: Any = chart.facet(alt.Facet("panel:N", title=None, sort=list(titles), header=header), columns=columns)
    if independent:
        # Align frames and leave room for the axes between them, whatever the length of the labels.
        headings = _LINE * (max(map(len, lines.values())) - 1)
        across = 76 if "y" in independent else BETWEEN
        down = 90 if "x" in independent else 60
        facet = facet.properties(bounds="flush", align="all", spacing={"row": down + headings, "column": across})
        facet = facet.resolve_scale(**dict.fromkeys(independent, "independent"))
    # Otherwise axes would be drawn below missing panels.
    whole: alt.FacetChart = facet.resolve_axis(x="independent") if len(titles) % columns else facet
    return whole


def headline(chart: Chart, finding: str) -> Chart:
    """Add a sentence that states the finding of a chart, shown above it on pages.

    Image files and papers omit the sentence, since their captions contain it. The final full stop is removed.
    """
    return chart.properties(usermeta={FINDING: finding.removesuffix(".")})


FINDING = "finding"
"""Key of the finding in `usermeta` of a chart."""
