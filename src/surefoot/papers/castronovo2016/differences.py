"""Differences between published scores and ours in standard errors."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.entries import RECORD
from surefoot.charts.selection import titles
from surefoot.charts.z_values import z_chart
from surefoot.papers.castronovo2016.scored_agents import scored_agents
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS, STANDARD_ERRORS


def figure_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """As `reproduction`, of the large run's record; without rows where there is none."""
    record = tables[RECORD]
    numbers = record[[*COLUMNS, "trials"]]
    chart = differences(numbers, settings) if len(numbers) else theme.message("No record of a large run is here.")
    description = "Differences between the scores of the large run and the published ones in standard errors"
    return theme.finish(chart, description), numbers


def differences(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> alt.TopLevelMixin:
    """Chart of z, where it is known."""
    points = numbers[numbers["z"].notna()]
    if points.empty:
        return theme.message("No agent of the paper played the 200 MDPs that a difference in standard errors needs.")
    names = scored_agents(points["item"])
    shown = {kind: titles(names[kind], settings, kind) for kind in ("environment", "algorithm")}
    points = points.assign(
        environment=names["environment"],
        environment_title=names["environment"].map(shown["environment"]),
        algorithm=names["algorithm"],
        title=names["algorithm"].map(shown["algorithm"]),
    )
    return z_chart(points, STANDARD_ERRORS, settings["algorithm_titles"])
