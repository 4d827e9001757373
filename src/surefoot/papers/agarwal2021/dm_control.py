"""Mean scores on DM Control, those of the runs beside those of published means and deviations: figure 11a."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.interval_panels import interval_panels
from surefoot.charts.names import SCORES
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables

_DM_CONTROL = ("SAC+AE", "SLAC", "Dreamer", "CURL", "RAD", "DrQ", "PISAC", "SUNRISE", "CURL-D2RL")

_PUBLISHED = {f"dm_control_published_{steps}": f"dm_control_{steps}" for steps in ("100k", "500k")}
"""The scores of the runs by those that are known from published means and deviations."""


def figure_11a(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean scores on DM Control, of nine algorithms in the order of their claims, with intervals."""
    runs, published = numbers_of_analysis(tables, "figure_a31"), numbers_of_analysis(tables, "figure_11a")
    if runs is None or published is None:
        return origin.nothing(settings)
    means = runs[(runs["metric"] == "mean") & (runs["method"] == "percentile")].assign(method="bootstrap")
    published = published.assign(scores=published["scores"].map(_PUBLISHED))
    columns = ["scores", "algorithm", "method", "value", "low", "high", "runs", "tasks"]
    numbers = pd.concat([means[columns], published[columns]], ignore_index=True)
    order = {name: place for place, name in enumerate(_DM_CONTROL)}
    numbers = numbers.sort_values("algorithm", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    data = numbers[numbers["method"] != "independent_tasks"]
    data = data.assign(panel=data["scores"].map(SCORES), row="")
    chart = interval_panels(data, settings, list(SCORES.values())[6:8])
    description = "Mean scores of nine algorithms on DM Control with 95 % intervals"
    return origin.finish(chart, description, tables, settings, "figure_11a"), numbers
