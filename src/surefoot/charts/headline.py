"""Titles of figures that say what is to be seen."""

import altair as alt


def headline(chart: alt.TopLevelMixin, finding: str) -> alt.TopLevelMixin:
    """The chart with a sentence of what it shows, which pages set above it.

    Files of pictures and papers go without, as their captions say it.

    The sentence has no full stop, as headlines have none.
    """
    return chart.properties(usermeta={FINDING: finding.removesuffix(".")})


FINDING = "finding"
"""Where the sentence stands in `usermeta` of the chart."""
