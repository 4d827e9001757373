"""How profiles by Welch's test are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.names import FREEDOM_FORMULAS
from surefoot.charts.p_value_profiles import p_value_profile
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The profile of `settings["analysis"]` by Welch's test, with either degrees of freedom.

    `settings` may have `among`: all methods that have colours, in order, where several figures show some of them.
    """
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    data = numbers.assign(panel=numbers["degrees_of_freedom"].map(FREEDOM_FORMULAS))
    chart = p_value_profile(data, list(FREEDOM_FORMULAS.values()), among=settings.get("among"))
    methods = ", ".join(numbers["method"].unique())
    description = f"Performance profiles of {methods} by Welch's test, with two formulas of the degrees of freedom"
    return origin.finish(chart, description, tables, settings, analysis), numbers
