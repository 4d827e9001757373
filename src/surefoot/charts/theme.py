"""The look of all charts: one colour and dash an algorithm, one set of fonts and lines, and their titles.

The colours keep a CIEDE2000 difference of 11 or more from each other for normal sight and under simulated
protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009); the tests compute
it.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import altair as alt
import pandas as pd


class Style(NamedTuple):
    """How an algorithm is drawn: a colour "#rrggbb", a dash pattern in pixels ([1, 0] is solid)."""

    colour: str
    dash: tuple[int, ...]


class Scales(NamedTuple):
    """Scales of a chart: from the titles of algorithms to colours and dashes."""

    colour: alt.Scale
    dash: alt.Scale


_LETTER, _SYMBOL = 6.8, 40  # pixels of a letter, on average, and of what stands around a name in a legend
_SQUARE, _STROKE = 300, 38
"""Symbols in legends of curves: square pixels of a symbol, and pixels of a stroke, which shows its dash."""
WIDTH = 680  # pixels, the text width of the pages
_BETWEEN = 44  # pixels between panels
_AXIS_BESIDE, _AXIS_BELOW = 76, 90  # and between those with an axis and its title, and a heading, between them
_LINE = 16  # of a heading
_CEILING = 9  # above a panel, higher than the highest label of an axis beside it can reach
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

# On dark pages. Each colour of a picture in a page has two values (see surefoot.charts.pictures), between which the
# page's CSS property `color-scheme` decides: a dark theme has only to set it, by a media query or by a switch, and
# `light` for print.
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
    "#fddbc7": "#8a5233",  # pale on white: its turned lightness would hardly be seen on dark paper
}

_SOLID, _DASHED, _DOTTED, _MIXED, _LONG = (1, 0), (7, 3), (2, 2), (8, 3, 2, 3), (12, 3)
_DOTS = (12, 3, 2, 3, 2, 3)

# A family has a hue and a dash of its own, so that the curves of two families can be told apart without the
# hue and both are seen where they coincide; its members differ in lightness.
_ALGORITHMS = {
    "ac": Style("#6a9a72", _DOTTED),
    "ac_s": Style("#33cfae", _DOTTED),
    "ac_parl2": Style("#1f5c45", _DOTTED),
    "sarsa": Style("#3a78e0", _SOLID),
    "sarsa_s": Style("#9cc0ea", _SOLID),
    "sarsa_parl2": Style("#00308f", _SOLID),
    "q": Style("#d7500f", _DASHED),
    "q_s": Style("#f9a03f", _DASHED),
    "q_parl2": Style("#6e2a06", _DASHED),
    "nac_td": Style("#b0588f", _MIXED),
    "ppo": Style("#33313b", _LONG),
}

# For every other algorithm: the same colours, the strongest and most different first, with dashes in turn.
# Of six dashes two neighbours share one only where their colours differ in lightness, so that they are told apart in
# grey as well; the second turn of the colours begins with another dash for that.
_OTHER_COLOURS = (
    *("#00308f", "#d7500f", "#33cfae", "#b0588f", "#f9a03f", "#33313b"),
    *("#3a78e0", "#6e2a06", "#6a9a72", "#9cc0ea", "#1f5c45"),
)
_TURNED = 3
_OTHER_DASHES = (_SOLID, _DASHED, _DOTTED, _MIXED, _LONG, _DOTS)


def styles(algorithms: Iterable[str]) -> dict[str, Style]:
    """Style of each algorithm, in the order given.

    Algorithms of the package keep one style everywhere. Others take the palette in the order of the study's
    configuration, so a name keeps its style within a study. After 11 the colours come again with another dash.
    """
    names = list(algorithms)
    taken = {_ALGORITHMS[name].colour for name in names if name in _ALGORITHMS}
    free = [colour for colour in _OTHER_COLOURS if colour not in taken] or list(_OTHER_COLOURS)
    result: dict[str, Style] = {}
    drawn: set[tuple[str, tuple[int, ...]]] = set()
    position = 0
    for name in names:
        if name in _ALGORITHMS:
            result[name] = _ALGORITHMS[name]
            continue
        colour, turn = free[position % len(free)], position // len(free)
        places = [(position + _TURNED * turn + more) % len(_OTHER_DASHES) for more in range(len(_OTHER_DASHES))]
        dashes = [_OTHER_DASHES[place] for place in places]
        dash = next((dash for dash in dashes if (colour, dash) not in drawn), dashes[0])
        drawn.add((colour, dash))
        result[name] = Style(colour, dash)
        position += 1
    return result


def scales(
    titles: Mapping[str, str], among: Iterable[str] | None = None, leaders: Iterable[str] | None = None
) -> Scales:
    """Scales from titles to styles for {algorithm: title}.

    `among` are all algorithms of the study where not all of them are shown, since the styles of those that are not of
    the package depend on it; without it the palette is taken in the order of names, whatever order they are shown in.
    `leaders` are those that keep their colours, the others are grey; without it all keep theirs.
    """
    coloured = titles.keys() if leaders is None else {*leaders}
    known = styles(sorted(titles) if among is None else among)
    shown = [known[name] for name in titles]
    domain = list(titles.values())
    return Scales(
        alt.Scale(
            domain=domain,
            range=[known[name].colour if name in coloured else LINE for name in titles],
        ),
        alt.Scale(domain=domain, range=[list(style.dash) for style in shown]),
    )


def legend_columns(names: Iterable[str], symbol: float = _SYMBOL) -> int:
    """How many names a row of a legend may have, so that it is no wider than a chart and its rows are alike.

    symbol : pixels of what stands around a name
    """
    listed = list(names)
    widest = symbol + _LETTER * max(map(len, listed), default=0)
    most = max(1, int(WIDTH // widest))
    rows = math.ceil(len(listed) / most)
    return math.ceil(len(listed) / max(rows, 1)) or 1


def curve_legend(names: Iterable[str]) -> alt.Legend:
    """A legend of curves, which shows each as a stroke with its dash, long enough to tell it from others."""
    usual = math.sqrt(_SQUARE)
    more, half = _STROKE - usual, _STROKE / usual
    return alt.Legend(
        orient="top",
        columns=legend_columns(names, _SYMBOL + more),
        symbolType=f"M{-half:.3f},0H{half:.3f}",
        title=None,
        symbolSize=_SQUARE,
        symbolOpacity=1,
        symbolOffset=round(more / 2, 1),
        labelOffset=round(4 + more / 2, 1),
    )


def heading(room: float) -> alt.Header:
    """The heading of panels: in two lines where a name is longer than the room beside or above its panel, in pixels."""
    long = f"length(datum.label) > {_letters(room)}"
    # At the first comma, in a name without one after its colon, else at its first space.
    comma, colon = (f"indexof(datum.label, '{mark} ') < 0" for mark in ",:")
    at, instead = rf"{comma} ? {colon} ? / / : /: / : /, /", rf"{comma} && !({colon}) ? ':\n' : '\n'"
    broken = rf"split(replace(datum.label, {at}, {instead}), '\n')"
    return alt.Header(labelExpr=f"{long} ? {broken} : datum.label", labelLimit=2 * LABEL)


def _letters(room: float) -> int:
    """How many letters of a heading fit into so many pixels."""
    return int(room / (1.1 * _LETTER))


def tooltip(**titles: str) -> list[alt.Tooltip]:
    """What a pointer is told of a mark: the values of columns under these titles. Pages write numbers as people do, see
    `surefoot.charts.pictures.sensible`."""
    return [alt.Tooltip(f"{column}:N", title=title) for column, title in titles.items()]


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
    _hold_data(chart, {})
    # All at once: each of Altair's methods copies the whole chart.
    return _arranged(chart.properties(description=description)).configure(
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
        axisQuantitative=alt.AxisConfig(labelFlush=False, labelOverlap="greedy", labelSeparation=4),
        legend=alt.LegendConfig(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=TEXT,
            titleFontSize=TEXT,
            titleFontWeight="normal",
            labelLimit=2 * LABEL,
            symbolStrokeWidth=2,
        ),
        header=alt.HeaderConfig(labelColor=INK, labelFontSize=TEXT, labelFontWeight="bold", labelLimit=2 * LABEL),
        title=alt.TitleConfig(color=INK, fontSize=TEXT, anchor="start", frame="group"),
        # Or the last label of a panel and the first of the next one run into each other.
        facet=alt.CompositionConfig(spacing=_BETWEEN),
        concat=alt.CompositionConfig(spacing=_BETWEEN),
    )


def _hold_data(chart: Any, held: dict[int, alt.InlineData]) -> None:
    """Replace the tables of a chart and of its parts by their rows, whose number Altair does not limit: its limit on
    tables is a setting of the whole process, which is the user's."""
    table = getattr(chart, "data", None)
    if isinstance(table, pd.DataFrame):
        if id(table) not in held:
            held[id(table)] = alt.InlineData(values=alt.to_values(table)["values"])
        chart.data = held[id(table)]
    for name in ("layer", "vconcat", "hconcat", "concat"):
        parts = getattr(chart, name, None)
        for part in parts if isinstance(parts, list) else ():
            _hold_data(part, held)
    if isinstance(chart, alt.FacetChart):
        _hold_data(chart.spec, held)


def _arranged(chart: alt.TopLevelMixin) -> alt.TopLevelMixin:
    """With panels of rows that are as long as each other where that can be, in line with each other, and with an axis
    below each where the last row has gaps: or else axes stand below panels that are not there."""
    if isinstance(chart, alt.FacetChart):
        # As plain data, since what was not given stands in a chart as a mark of its own.
        plain = chart.to_dict(validate=False)
        facet, columns = plain.get("facet", {}), chart.columns
        apart = plain.get("resolve", {}).get("scale", {})
        if "independent" in apart.values():
            # Each has axes of its own, whose labels are of any length: panels stand where their frames are, with room
            # for axes between them, and not where their labels end.
            across = _AXIS_BESIDE if apart.get("y") == "independent" else _BETWEEN
            down = _AXIS_BELOW if apart.get("x") == "independent" or "field" in facet else _BETWEEN
            if _has_long_headings(plain):
                down += _LINE
            chart.bounds, chart.align = "flush", "all"
            panel = chart.spec
            if apart.get("y") == "independent" and "field" in facet and isinstance(panel, alt.Chart | alt.LayerChart):
                chart.spec = _with_ceiling(panel)
            chart.spacing = {"row": down, "column": across}
        panels = len(facet["sort"]) if isinstance(facet.get("sort"), list) else 0
        if panels and isinstance(columns, int):
            columns = math.ceil(panels / math.ceil(panels / columns))
            chart.columns = columns
            if panels % columns:
                chart = chart.resolve_axis(x="independent")
    for name in ("vconcat", "hconcat", "concat"):
        if isinstance(children := getattr(chart, name, None), list):
            setattr(chart, name, [_arranged(child) for child in children])
    return chart


def _has_long_headings(facet_chart: dict[str, Any]) -> bool:
    """Whether a heading of the panels is broken into two lines; see `heading`."""
    facet, width = facet_chart.get("facet", {}), facet_chart.get("spec", {}).get("width")
    names, header = facet.get("sort"), facet.get("header")
    if not (isinstance(names, list) and isinstance(header, dict) and "labelExpr" in header):
        return False
    return isinstance(width, int | float) and any(len(str(name)) > _letters(width) for name in names)


def _with_ceiling(panel: alt.Chart | alt.LayerChart) -> alt.LayerChart | alt.FacetChart:
    """The panel with a mark that nobody sees above it. Its heading stands above all that reaches out of it, and how far
    the labels of the axis beside it do depends on their values: this mark reaches higher, in every panel alike."""
    ceiling = alt.Chart(alt.InlineData(values=[{}])).mark_rule(opacity=0)
    ceiling = ceiling.encode(x=alt.value(0), y=alt.value(-_CEILING))
    if isinstance(panel, alt.LayerChart):
        panel.layer = [*panel.layer, ceiling]
        return panel
    return alt.layer(panel, ceiling)


Chart = TypeVar("Chart", bound=alt.TopLevelMixin)


def headline(chart: alt.TopLevelMixin, finding: str) -> alt.TopLevelMixin:
    """The chart with a sentence of what it shows, which pages set above it.

    Files of pictures and papers go without, as their captions say it.

    The sentence has no full stop, as headlines have none.
    """
    return with_remark(chart, FINDING, finding.removesuffix("."))


def of_classes(chart: Chart) -> Chart:
    """The chart, whose colours are of something else than algorithms: pages do not offer to highlight them."""
    return with_remark(chart, CLASSES, True)


def with_remark(chart: Chart, key: str, value: str | bool) -> Chart:
    """The chart with something that pages read in its `usermeta`, beside what is there."""
    there = getattr(chart, "usermeta", None)
    return chart.properties(usermeta={**(there if isinstance(there, dict) else {}), key: value})


CLASSES = "classes"
"""In `usermeta` of a chart whose colours are of classes and not of algorithms: none is highlighted in other charts."""
FINDING = "finding"
"""Where the sentence stands in `usermeta` of the chart."""
