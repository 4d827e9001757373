"""Differences between published scores and ours in standard errors."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.headline import headline
from surefoot.charts.selection import titles
from surefoot.charts.z_values import differences_finding, z_chart
from surefoot.papers.castronovo2016.scored_agents import scored_agents
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS, STANDARD_ERRORS


def figure_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published score beside the record's, or beside this run's where there is no record, and a chart of the
    differences in standard errors, where they are known."""
    numbers = tables[RECORD][[*COLUMNS, "trials"]] if len(tables[RECORD]) else tables[RUN].drop(columns="runs")
    points = numbers[numbers["z"].notna()]
    if points.empty:
        text = "No agent of the paper played the 200 MDPs that a difference in standard errors needs."
        return theme.finish(theme.message(text), text), numbers
    names = scored_agents(points["item"])
    shown = {kind: titles(names[kind], settings, kind) for kind in ("environment", "algorithm")}
    points = points.assign(
        environment=names["environment"],
        environment_title=names["environment"].map(shown["environment"]),
        algorithm=names["algorithm"],
        title=names["algorithm"].map(shown["algorithm"]),
    )
    finding = differences_finding(points["z"].astype(float), "score")
    description = f"{finding}. Differences between our scores and the published ones in standard errors."
    return theme.finish(
        headline(z_chart(points, STANDARD_ERRORS, settings["algorithm_titles"]), finding), description
    ), numbers
