"""How the spread of metrics of fewer runs is shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import METRIC_NAMES, METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import joined
from surefoot.result_tables import Tables

_SIZES = alt.X("size:Q", title="number of runs", scale=alt.Scale(type="log", nice=False))


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Range that holds 95 % of the metrics of N runs, by N."""
    return _by_size(tables, settings, None, "95 % range of {} by number of runs")


def expected_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Expected metric of N runs, by N; `settings["metric"]`."""
    metric = settings["metric"]
    return _by_size(tables, settings, [metric], f"Expected {METRICS.get(metric, metric)} by number of runs", band=False)


def _by_size(
    tables: Mapping[str, pd.DataFrame],
    settings: Mapping[str, Any],
    metrics: Sequence[str] | None,
    description: str,
    band: bool = True,
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    metrics = metrics or list(dict.fromkeys(numbers["metric"]))
    numbers = numbers[numbers["metric"].isin(metrics)].reset_index(drop=True)
    titles = shown(numbers["algorithm"], settings)
    columns = ["algorithm", "size", "value", *(["low", "high"] if band else [])]
    data = numbers[columns].assign(panel=named(METRICS, numbers["metric"]))
    panels = list(dict.fromkeys(data["panel"])) if len(metrics) > 1 else []
    y = alt.Y("value:Q", title="score", scale=alt.Scale(zero=False))
    data = data if panels else data.drop(columns="panel")
    chart = curve_chart(data, titles, _SIZES, y, panels, among=colour_order(titles))
    names = [METRIC_NAMES.get(name, name) for name in metrics]
    spoken = joined([f"the {name if name.isupper() else name.lower()}" for name in names])
    return origin.finish(chart, description.format(spoken), tables, settings, analysis), numbers
