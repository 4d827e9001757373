"""How means and distributions with intervals are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.distributions import distribution_chart, highest_medians
from surefoot.charts.headline import headline
from surefoot.charts.intervals import mean_chart
from surefoot.charts.selection import (
    bands,
    mean_intervals,
    with_titles,
)
from surefoot.charts.sentences import most_places
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
    chart = headline(mean_chart(numbers, "mean score", columns=_panel_columns(numbers)), means_finding(numbers))
    return theme.finish(chart, "Mean score of each algorithm in each environment, with intervals"), numbers


def means_finding(numbers: pd.DataFrame) -> str:
    """Who has the highest mean in how many environments, and in how many of these its interval lies above all others.

    numbers : columns environment, title, value, low, high, rank
    """
    best, places = numbers[numbers["rank"] == 1], numbers["environment"].nunique()
    told = f"Highest mean score: {most_places(best, places)}"
    if numbers["low"].isna().all() or numbers["algorithm"].nunique() < 2:
        return told
    above = sum(_is_above(rows) for _, rows in numbers.groupby("environment", sort=False))
    if places == 1:
        return f"{told}; its interval {'lies above all others' if above else 'overlaps with others'}"
    where = "none" if not above else "all" if above == places else above
    return f"{told}; in {where} of them its interval lies above all others"


def _is_above(rows: pd.DataFrame) -> bool:
    """Whether the interval of the highest mean of an environment has no point in common with another, and lies above;
    not so where an interval is missing."""
    first = rows["rank"] == 1
    return bool(first.sum() == 1 and (rows.loc[~first, "high"] < rows.loc[first, "low"].iloc[0]).all())


def distributions_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of scores of each algorithm in each environment, with DKW bands."""
    description = "Distribution of scores of each algorithm in each environment, with bands"
    numbers = bands(tables)
    columns = _panel_columns(numbers)
    chart = distribution_chart(numbers, settings, "score", columns=columns, height=220 if columns < 3 else 150)
    said = f"Highest median score: {highest_medians(numbers, settings)}"
    return theme.finish(headline(chart, said), description), numbers


def _panel_columns(numbers: pd.DataFrame) -> int:
    environments = numbers["environment"].nunique()
    return 1 if environments == 1 else 2 if environments <= 8 else 3
