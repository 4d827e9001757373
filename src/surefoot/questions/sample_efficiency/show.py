"""How learning curves of metrics are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Metrics by steps of training, or one alone, `settings["metric"]`.

    `settings` may have `axis` (what scores are).
    """
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    single = settings.get("metric")
    if single:
        numbers = numbers[numbers["metric"] == single].reset_index(drop=True)
    titles = shown(numbers["algorithm"], settings)
    steps = "frames" if "frames" in numbers else "step"
    data = numbers[["algorithm", steps, "value", "low", "high"]]
    panels = []
    if not single:
        data = data.assign(panel=named(METRICS, numbers["metric"]))
        panels = list(dict.fromkeys(data["panel"]))
    x = alt.X(f"{steps}:Q", title="million frames" if steps == "frames" else "step")
    y = alt.Y(
        "value:Q", title=" ".join([*([METRICS.get(single, single)] if single else []), settings.get("axis", "score")])
    )
    chart = curve_chart(data, titles, x, y, panels, among=colour_order(titles))
    return origin.finish(
        chart, f"Scores by {'million frames' if steps == 'frames' else 'steps'} of training", tables, settings, analysis
    ), numbers
