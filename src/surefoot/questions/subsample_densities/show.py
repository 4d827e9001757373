"""How the densities of metrics of fewer runs are shown."""

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
    """Density of a metric of few runs of each algorithm; `settings` may have `axis` (what the metric is called)."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    sizes = numbers.drop_duplicates("algorithm").set_index("algorithm")["size"]
    titles = {name: f"{title}, {sizes[name]} runs" for name, title in shown(numbers["algorithm"], settings).items()}
    x = alt.X("score:Q", title=settings.get("axis", "score"), scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title="density")
    chart = curve_chart(numbers, titles, x, y, among=colour_order(sizes.index))
    description = settings.get("description", "Densities of a metric of few runs of each algorithm")
    return origin.finish(chart, description, tables, settings, analysis), numbers
