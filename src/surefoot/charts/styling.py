"""Charts of results: Altair charts with the style of this package, which can be combined and restyled like any others.

Altair allows a configuration only in the outermost chart, so the style is added when a chart is converted to a
specification.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from surefoot.charts.names import titles_of

_PARTS = ("layer", "hconcat", "vconcat", "concat")
_SIZES = ("labelFontSize", "titleFontSize", "fontSize", "subtitleFontSize")


class Style(NamedTuple):
    """Changes to the style of a chart; None for no change.

    width, height : pixels of a panel
    colors : colour by algorithm, or colours in the order of the algorithms
    order : algorithms to show first, in this order; the others follow
    titles : title by algorithm
    font_size : size of all texts, in pixels
    """

    width: float | None = None
    height: float | None = None
    colors: Mapping[str, str] | Sequence[str] | None = None
    order: Sequence[str] | None = None
    titles: Mapping[str, str] | None = None
    font_size: float | None = None


class _Combining:
    """Mixin that keeps the style when charts are combined, copied or changed."""

    look: Mapping[str, Any] = {}

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the Vega-Lite specification, with the style if the chart is the outermost one."""
        written: dict[str, Any] = super().to_dict(*args, **kwargs)  # type: ignore[misc]
        if "$schema" in written:
            written["config"] = _merged(self.look, written.get("config", {}))
        return written

    def __or__(self, other: Any) -> Any:
        return with_look(super().__or__(other), self.look)  # type: ignore[misc]

    def __and__(self, other: Any) -> Any:
        return with_look(super().__and__(other), self.look)  # type: ignore[misc]

    def __add__(self, other: Any) -> Any:
        return with_look(super().__add__(other), self.look)  # type: ignore[misc]

    def copy(self, *args: Any, **kwargs: Any) -> Any:
        """Return a copy with the same style."""
        return with_look(super().copy(*args, **kwargs), self.look)  # type: ignore[misc]

    def properties(self, **kwargs: Any) -> Any:
        """Return a chart with changed properties; width and height apply to each panel."""
        sizes = {name: kwargs.pop(name) for name in ("width", "height") if name in kwargs}
        chart = super().properties(**kwargs)  # type: ignore[misc]
        for panel in _panels(chart):
            for name, value in sizes.items():
                panel[name] = value
        return chart

    def encode(self, *args: Any, **kwargs: Any) -> Any:
        """Return a chart with changed encodings of the marks that already encode these channels."""
        given = alt.Chart().encode(*args, **kwargs).encoding
        chart = self.copy()
        for mark in _marks(chart):
            for name, channel in _channels(given):
                if name in dict(_channels(mark.encoding)):
                    mark.encoding[name] = channel
        return chart


def _styled(base: type[Any]) -> type[Any]:
    return type(base.__name__, (_Combining, base), {"__module__": __name__})


_STYLED = {
    base: _styled(base)
    for base in (alt.Chart, alt.LayerChart, alt.FacetChart, alt.HConcatChart, alt.VConcatChart, alt.ConcatChart)
}


def with_look(chart: Any, look: Mapping[str, Any]) -> Any:
    """Return the chart with the style `look`, which is kept when charts are combined."""
    # Altair would treat any attribute that is set as part of the specification.
    if type(chart) in _STYLED:
        object.__setattr__(chart, "__class__", _STYLED[type(chart)])
    if isinstance(chart, _Combining):
        object.__setattr__(chart, "look", look)
    return chart


def restyled(chart: Any, algorithms: Sequence[str], style: Style) -> Any:
    """Return a finished chart of a result in another style, as a chart that can be combined.

    Parameters
    ----------
    chart : chart of a question with its configuration; it is modified
    algorithms : names of the algorithms of the result
    style : the changes of style
    """
    look = chart.config.to_dict() if chart.config is not alt.Undefined else {}
    chart.config = alt.Undefined
    chart.usermeta = alt.Undefined
    titles = titles_of(algorithms, style.titles)
    if style.order:
        _reorder(chart, [titles.get(name, name) for name in style.order])
    if style.colors is not None:
        colors = style.colors
        by_name = colors if isinstance(colors, Mapping) else dict(zip(titles, colors, strict=False))
        _recolor(chart, {titles.get(name, name): color for name, color in by_name.items()})
    if style.font_size is not None:
        look = _resized(look, style.font_size)
        for mark in _marks(chart):
            if _value(mark.mark, "fontSize") is not None:
                mark.mark["fontSize"] = style.font_size
    for panel in _panels(chart):
        for name in ("width", "height"):
            if getattr(style, name) is not None:
                panel[name] = getattr(style, name)
    return with_look(chart, look)


def _parts(chart: Any) -> list[Any]:
    """Return the parts of a chart; empty for a chart with marks, which has no parts."""
    if isinstance(chart, alt.FacetChart):
        return [chart.spec]
    return next((list(chart[name]) for name in _PARTS if name in chart._kwds), [])


def _marks(chart: Any) -> Iterator[Any]:
    """Yield the parts of a chart that have marks."""
    parts = _parts(chart)
    if not parts:
        yield chart
    for part in parts:
        yield from _marks(part)


def _panels(chart: Any) -> Iterator[Any]:
    """Yield the panels of a chart, each of which has a size."""
    if isinstance(chart, alt.LayerChart) or not _parts(chart):
        yield chart
        return
    for part in _parts(chart):
        yield from _panels(part)


def _channels(encoding: Any) -> list[tuple[str, Any]]:
    """Return the channels that are encoded, by name."""
    found = encoding._kwds if encoding is not alt.Undefined else {}
    return [(name, channel) for name, channel in found.items() if channel is not alt.Undefined]


def _value(holder: Any, name: str) -> Any:
    """Return a property of a channel, or None if it is not set."""
    found = holder._kwds.get(name, alt.Undefined) if hasattr(holder, "_kwds") else alt.Undefined
    return None if found is alt.Undefined else found


def _reorder(chart: Any, order: Sequence[str]) -> None:
    """Move the titles in `order` to the front of the sort orders, scales and legends of a chart."""

    def ordered(names: Sequence[Any]) -> list[Any]:
        return [*(name for name in order if name in names), *(name for name in names if name not in order)]

    for mark in _marks(chart):
        for _, channel in _channels(mark.encoding):
            if isinstance(sort := _value(channel, "sort"), list) and set(order) & set(map(str, sort)):
                channel["sort"] = ordered(sort)
            legend = _value(channel, "legend")
            if isinstance(values := _value(legend, "values"), list):
                legend["values"] = ordered(values)
            scale = _value(channel, "scale")
            domain = _value(scale, "domain")
            if isinstance(domain, list) and set(order) & set(map(str, domain)):
                pairs = dict(zip(domain, _value(scale, "range") or domain, strict=False))
                scale["domain"] = ordered(domain)
                if _value(scale, "range"):
                    scale["range"] = [pairs[name] for name in scale["domain"]]


def _recolor(chart: Any, colors: Mapping[str, str]) -> None:
    """Change the colours of algorithms, by title, in scales and in rows of data with colours."""
    for part in _whole(chart):
        for row in getattr(_value(part, "data"), "values", None) or ():
            if isinstance(row, dict) and "colour" in row:
                title, *_ = str(row.get("title")).split("\u2002")  # without the letters that follow in a leaderboard
                row["colour"] = colors.get(title, row["colour"])
        for name, channel in _channels(getattr(part, "encoding", alt.Undefined)):
            scale = _value(channel, "scale")
            if name in ("color", "fill", "stroke") and isinstance(domain := _value(scale, "domain"), list):
                known = dict(zip(domain, _value(scale, "range") or domain, strict=False))
                scale["range"] = [colors.get(title, known[title]) for title in domain]


def _whole(chart: Any) -> Iterator[Any]:
    """Yield a chart and all charts that it contains."""
    yield chart
    for part in _parts(chart):
        yield from _whole(part)


def _merged(look: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two configurations; the second one takes precedence."""
    both = dict(look)
    for name, value in other.items():
        both[name] = _merged(both[name], value) if isinstance(value, dict) and name in both else value
    return both


def _resized(look: Mapping[str, Any], size: float) -> dict[str, Any]:
    """Return the configuration with the same font size everywhere."""
    return {
        name: _resized(value, size) if isinstance(value, Mapping) else size if name in _SIZES else value
        for name, value in look.items()
    }
