"""How profiles by a rank test are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.names import colour_order, shown
from surefoot.charts.p_value_profiles import p_value_profile
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The profile of `settings["analysis"]` from runs by a rank test."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["method"], settings)
    chart = p_value_profile(numbers, [], titles, among=colour_order(titles))
    description = f"Performance profiles of {numbers['method'].nunique()} algorithms from their runs, by a rank test"
    return origin.finish(chart, description, tables, settings, analysis), numbers
