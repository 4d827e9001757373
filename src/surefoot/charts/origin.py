"""Types of charts, and the note on charts that show recorded numbers instead of numbers of this run."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.names import Tabulated

Drawn = tuple[alt.TopLevelMixin, pd.DataFrame]
"""A chart and its numbers."""


def finish(chart: alt.TopLevelMixin, description: str, recorded: str = "") -> alt.TopLevelMixin:
    """Finish a chart, with a note if it shows recorded numbers.

    Parameters
    ----------
    description : alternative text of the chart
    recorded : day on which the recorded numbers were computed; empty for numbers of this run
    """
    if recorded:
        description = f"{description} (from the record of {recorded}, not computed in this run)"
    return theme.finish(chart, description)


def note_chart(*, text: str) -> Drawn:
    """Return a note that replaces a figure without numbers."""
    return theme.finish(theme.message(text), text), pd.DataFrame(columns=["note"])


def analyses_table(*, analyses: Sequence[Sequence[Any]]) -> Tabulated:
    """Tabulate where the numbers of each analysis come from.

    Parameters
    ----------
    analyses : name, day on which a record was made (None for numbers of this run), number of resamples, and number of
        subsamples (None if the analysis draws none) of each
    """
    table = pd.DataFrame(analyses, columns=["analysis", "recorded", "n_resamples", "datasets"])
    return None, table.astype({"n_resamples": "Int64", "datasets": "Int64"})
