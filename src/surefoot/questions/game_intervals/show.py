"""How means and distributions with intervals are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.distributions import distribution_chart
from surefoot.charts.intervals import mean_chart
from surefoot.charts.selection import (
    bands,
    mean_intervals,
    with_titles,
)
from surefoot.questions.game_scores.show import chart as scores_chart
from surefoot.result_tables import Tables

_OF_ENVIRONMENTS = {"estimate/anderson", "estimate/dkw"}


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The scores of the game with the intervals of each method; else means, else distributions."""
    numbers = tables[f"estimate/{settings['analysis']}"]
    of_methods = {f"estimate/{method}": rows for method, rows in numbers.groupby("method", sort=False)}
    if of_methods.keys() == {"estimate/dkw"}:
        return distributions_chart(of_methods, settings)
    return (means_chart if of_methods.keys() <= _OF_ENVIRONMENTS else scores_chart)(of_methods, settings)


def means_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of each algorithm in each environment, with Anderson's limits."""
    numbers = with_titles(mean_intervals(tables), settings)
    chart = mean_chart(numbers, "mean score", columns=_panel_columns(numbers))
    return theme.finish(chart, "Mean score of each algorithm in each environment, with intervals"), numbers


def distributions_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of scores of each algorithm in each environment, with DKW bands."""
    description = "Distribution of scores of each algorithm in each environment, with bands"
    numbers = bands(tables)
    columns = _panel_columns(numbers)
    chart = distribution_chart(numbers, settings, "score", columns=columns, height=220 if columns < 3 else 150)
    return theme.finish(chart, description), numbers


def _panel_columns(numbers: pd.DataFrame) -> int:
    environments = numbers["environment"].nunique()
    return 1 if environments == 1 else 2 if environments <= 8 else 3
