"""Titles of figures that say what is to be seen."""

from typing import TypeVar

import altair as alt

from surefoot.charts.live import CLASSES

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


FINDING = "finding"
"""Where the sentence stands in `usermeta` of the chart."""
