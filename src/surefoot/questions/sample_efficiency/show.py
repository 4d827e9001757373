"""How learning curves of metrics are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.axes import steps_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.many import best_of_many, with_count
from surefoot.charts.names import METRICS, colour_order, named, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import joined
from surefoot.charts.steps import at_step, steps_column, steps_title
from surefoot.questions.interval_sentences import remarks_of, sharing_of
from surefoot.result_tables import Tables
from surefoot.rounding import column_format, written
from surefoot.statistics.metrics.catalogue import metric as known_metric
from surefoot.statistics.runs.sharing import SHARED


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
    steps = steps_column(numbers)
    unit = steps_title(steps, settings)
    data = numbers[["algorithm", steps, "value", "low", "high"]]
    panels = []
    if not single:
        data = data.assign(panel=named(METRICS, numbers["metric"]))
        panels = list(dict.fromkeys(data["panel"]))
    x = steps_axis(steps, unit)
    y = alt.Y(
        "value:Q", title=" ".join([*([METRICS.get(single, single)] if single else []), settings.get("axis", "score")])
    )
    best = set(best_of_many(_at_end(numbers, steps)["algorithm"]))
    drawn = {name: title for name, title in titles.items() if name in best}
    chart = curve_chart(data, drawn, x, y, panels, among=colour_order(titles))
    first = numbers["metric"].iloc[0]
    chart = with_count(chart, len(drawn), len(titles), f"{METRICS.get(first, first)} at the end")
    return origin.finish(
        chart, f"Scores by {'steps' if unit == 'step' else unit} of training", tables, settings, analysis
    ), numbers


def _at_end(numbers: pd.DataFrame, steps: str) -> pd.DataFrame:
    """The rows of the first metric at the last step, the best first."""
    own = numbers[numbers["metric"] == numbers["metric"].iloc[0]]
    last = own[own[steps] == own[steps].max()]
    smaller_is_better = known_metric(own["metric"].iloc[0]).entry.lower_is_better
    return last.sort_values("value", ascending=smaller_is_better, kind="stable")


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which curve is the highest at the end, since when, and what its band holds."""
    steps = steps_column(table)
    first = table["metric"].iloc[0]
    table = table[table["metric"] == first]
    titles, metric = shown(table["algorithm"], settings), METRICS.get(first, first)
    wide = table.pivot(index=steps, columns="algorithm", values="value").sort_index()
    end = wide.index[-1]
    place = f"At {at_step(end, steps, settings)}"
    last = table[table[steps] == end].sort_values("value", ascending=False, kind="stable")
    simultaneous = _band(settings) == "simultaneous"
    band = "bands of the whole curves" if simultaneous else "bands of single steps"
    form = column_format(last[["value", "low", "high"]].to_numpy().ravel())
    ends = [[written(float(row[key]), form) for key in ("value", "low", "high")] for _, row in last.iterrows()]
    values = [
        f"{titles[name]} {value}" + (f" ({low} to {high})" if drawn else "")
        for name, (value, low, high), drawn in zip(last["algorithm"], ends, last["low"].notna(), strict=True)
    ]
    sentence = f"{place} the {metric} is {joined(values)}" + (f", with {band}" if last["low"].notna().any() else "")
    if len(values) > 1:
        sentence += f"; {_since(wide, str(last['algorithm'].iloc[0]), titles, settings)}"
    return f"{sentence}.{remarks_of_bands(table, 'student' if simultaneous else 'percentile')}"


def remarks_of_bands(table: pd.DataFrame, method: str = "student") -> str:
    """What is said of bands around curves after a sentence: whether tasks share runs, and other remarks.

    method : "student" of simultaneous bands, which allow for shared runs, else "percentile"
    """
    others = table[~table["shared_runs"].isin(SHARED) | table["low"].isna()]
    return sharing_of(table, method, "bands") + remarks_of(others)


def _band(settings: Mapping[str, Any]) -> str:
    known: str = settings["questions"].get(settings["analysis"], {}).get("band", "pointwise")
    return known


def _since(wide: pd.DataFrame, best: str, titles: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """From which step on a curve is above all others, which says nothing of chance."""
    others = wide.drop(columns=best)
    reached = others.ge(wide[best], axis=0).any(axis=1).to_numpy()
    if reached[-1]:
        return "the highest two are equal there"
    if not reached.any():
        return f"the curve of {titles[best]} is the highest at every step"
    since = at_step(wide.index[len(reached) - reached[::-1].argmax()], str(wide.index.name), settings)
    return f"the curve of {titles[best]} is the highest from {since} on"
