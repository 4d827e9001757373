"""Source of the numbers of a figure: this run, or the record of a run that had the scores."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import RECORDED, numbers_of_analysis
from surefoot.result_tables import Tables

Described = tuple[alt.TopLevelMixin, str, pd.DataFrame]
"""A chart, its description for readers who cannot see it, and its numbers."""
Drawn = tuple[alt.TopLevelMixin, pd.DataFrame]
"""A finished chart and its numbers."""
Settings = Mapping[str, Any]
Chart = Callable[[pd.DataFrame, Settings], Described]
"""A function that draws one table."""
Drawing = Callable[[Tables, Settings], Drawn]
"""A function that finds its table among all of a study."""


def of_analysis(draw: Chart) -> Drawing:
    """Decorate a function that draws the analysis `settings["analysis"]`.

    If neither this run nor a record has its numbers, a message replaces the chart.
    """

    @functools.wraps(draw)
    def drawing(tables: Tables, settings: Settings) -> Drawn:
        analysis = settings["analysis"]
        numbers = numbers_of_analysis(tables, analysis)
        if numbers is None:
            return nothing()
        chart, description, shown = draw(numbers, settings)
        return finish(chart, description, tables, settings, analysis), shown

    return drawing


def nothing(text: str = "Neither this run nor a record has the scores of this figure.") -> Drawn:
    """Return a message in place of a figure without numbers."""
    return theme.finish(theme.message(text), text), pd.DataFrame(columns=["note"])


def finish(
    chart: alt.TopLevelMixin, description: str, tables: Tables, settings: Mapping[str, Any], analysis: str
) -> alt.TopLevelMixin:
    """Finish the chart; its description names the record that it shows."""
    if analysis in settings["recorded"] or analysis.startswith(RECORDED):
        name = analysis.removeprefix(RECORDED)
        date = record_date(tables, settings.get("names", {}).get(name, name))
        description = f"{description} (from the record of {date}, not computed in this run)"
    return theme.finish(chart, description)


def record_date(tables: Tables, analysis: str) -> str:
    """Return the day on which the recorded numbers were computed."""
    record = tables["record"].set_index("analysis")
    return str(record.loc[analysis.removeprefix(RECORDED), "made"])[:10]


def table_analyses(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Tabulate the source of the numbers of each analysis.

    Columns analysis, recorded (the day on which a record was made; missing for numbers of this run), replicates and
    datasets (resamples and subsamples; missing where the analysis draws none).
    """
    rows = []
    for name in settings["at_hand"]:
        counts = settings["questions"][name]
        date = None
        if counts["kind"] == "aggregates":  # uses the study's number of resamples unless it has its own
            counts = {"replicates": settings["replicates"]} | counts
        drawn = [key for key in ("replicates", "datasets") if key in counts]
        if name in settings["recorded"]:
            counts = tables["record"].set_index("analysis").loc[name]
            date = record_date(tables, name)
        rows.append({"analysis": name, "recorded": date} | {key: int(counts[key]) for key in drawn})
    table = pd.DataFrame(rows, columns=["analysis", "recorded", "replicates", "datasets"])
    return None, table.astype({"replicates": "Int64", "datasets": "Int64"})
