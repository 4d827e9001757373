"""The title of a chart: a sentence that says what it shows."""

import textwrap

import altair as alt

from surefoot.charts import theme

_CHARACTERS = 92
"""Of a line of a title in the width of the pages."""


def headline(chart: alt.TopLevelMixin, finding: str, size: int = theme.TEXT + 1) -> alt.TopLevelMixin:
    """The chart below a sentence, broken into lines; without a full stop, as headlines have none."""
    text = finding.removesuffix(".")
    lines = textwrap.wrap(text, _CHARACTERS)
    even = textwrap.wrap(text, len(text) // len(lines) + 8)  # no single word on the last line
    lines = even if len(even) == len(lines) else lines
    title = alt.TitleParams(lines, anchor="start", frame="bounds", fontSize=size, offset=12)
    return chart.properties(title=title)
