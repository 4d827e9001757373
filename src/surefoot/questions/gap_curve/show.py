"""How optimality gaps by their target are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Optimality gap below a target, in units of the target, by the target.

    `settings` may have `axis` (what scores are).
    """
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown(numbers["algorithm"], settings)
    x = alt.X(
        "gamma:Q", title=f"target gamma ({settings.get('axis', 'score')})", scale=alt.Scale(type="log", nice=False)
    )
    y = alt.Y("value:Q", title="optimality gap / gamma (lower is better)", scale=alt.Scale(zero=False))
    chart = curve_chart(numbers, titles, x, y, among=colour_order(titles))
    return origin.finish(chart, "Optimality gaps by their target", tables, settings, analysis), numbers
