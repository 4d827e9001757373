"""Chart and table of how often intervals of game scores miss the truth."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import COVERAGE_COLUMNS, MEASURES, METHOD_TITLES, VARIANTS, coverage_rows, rounded
from surefoot.result_tables import Tables

_WIDTH, _HEIGHT = 255, 105


_BETWEEN = 60  # pixels between frames: labels below one that reach out of it must not move the next


def coverage_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failure rates, separated pairs and width of each method by number of trials, with Monte Carlo errors.

    `settings["source"]` is "record" for the large run's record, else this run's study; or `settings["analysis"]` names
    the question whose answer is shown.
    """
    if "analysis" in settings:
        answered = tables[f"cover/{settings['analysis']}"]
        tables = {f"cover/{variant}": rows for variant, rows in answered.groupby("variant", sort=False)}
    record = settings.get("source") == "record"
    numbers = coverage_rows(tables, record=record)
    description = "Failure rates, share of pairs separated and mean width of intervals by number of trials of a pair"
    if numbers.empty:
        text = "There is no record of a large run." if record else "This study asks for no study of coverage."
        return theme.finish(theme.message(text), description), numbers
    numbers.insert(2, "title", numbers["method"].map(lambda name: METHOD_TITLES.get(name, name)))
    return theme.finish(_chart(numbers, 1 - settings["confidence"]), description), numbers


def coverage_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every number of the study's studies of coverage: columns study, variant, method, title, size, datasets, and each
    measure with its Monte Carlo error as in `coverage_rows`; no rows where it asks for none."""
    columns = ["study", *COVERAGE_COLUMNS, *(name + end for name in MEASURES for end in ("", "_error"))]
    numbers = tables.get("coverage", pd.DataFrame(columns=columns)).reindex(columns=columns)
    numbers.insert(3, "title", numbers["method"].map(lambda name: METHOD_TITLES.get(name, name)))
    return None, numbers


def _chart(numbers: pd.DataFrame, nominal: float) -> alt.VConcatChart:
    names = dict(zip(numbers["method"], numbers["title"], strict=True))
    scales = theme.scales(names, list(METHOD_TITLES))
    variants = [name for name in VARIANTS if name in set(numbers["variant"])]
    rows: list[alt.HConcatChart] = []
    for measure, title in MEASURES.items():
        data = _long(numbers, measure)
        if data.empty:
            continue
        last = measure == "mean_width"
        panels = [
            _panel(
                data[data["variant"] == name], title if name == variants[0] else None, scales, names, nominal, last
            ).properties(title=alt.Title(VARIANTS[name] if not rows else "", frame="group"))
            for name in variants
        ]
        rows.append(alt.hconcat(*panels, bounds="flush", spacing=_BETWEEN).resolve_scale(y="shared"))
    return alt.vconcat(*rows, spacing=8)


def _long(numbers: pd.DataFrame, measure: str) -> pd.DataFrame:
    """One measure with the ends of its error bars, two standard errors away."""
    data = numbers[["variant", "title", "size", "datasets"]].assign(
        measure=measure, value=numbers[measure], error=numbers[f"{measure}_error"].fillna(0.0)
    )
    data = data.dropna(subset=["value"])
    reach = 2 * data["error"]
    # Widths stand on a logarithmic axis, rates between 0 and 1.
    lowest, highest = (data["value"] / 10, None) if measure == "mean_width" else (0.0, 1.0)
    low, high = (data["value"] - reach).clip(lower=lowest), (data["value"] + reach).clip(upper=highest)
    return rounded(data.assign(low=low, high=high))


def _panel(
    data: pd.DataFrame, title: str | None, scales: theme.Scales, names: Mapping[str, str], nominal: float, last: bool
) -> alt.LayerChart | alt.FacetChart:
    measure = data["measure"].iloc[0] if len(data) else ""
    sizes = sorted({int(size) for size in data["size"]})
    x = alt.X(
        "size:Q",
        scale=alt.Scale(type="log"),
        title="trials per pair" if last else None,
        axis=alt.Axis(values=sizes, format="~s", labels=last, grid=True),
    )
    rate = measure.startswith("failure_rate")
    if measure == "mean_width":
        scale, ticks = alt.Scale(type="log"), dict[str, Any](tickCount=3)
    else:
        # Rates near the nominal one are what matters, so the axis is that of their square roots.
        scale = alt.Scale(type="sqrt" if rate else "linear", domain=[0, 1])
        ticks = {"values": [0, 0.05, 0.2, 0.5, 1] if rate else [0, 0.25, 0.5, 0.75, 1]}
    axis = alt.Axis(minExtent=34, labels=title is not None, format=".2~f" if measure != "mean_width" else "~g", **ticks)
    y: dict[str, Any] = {"scale": scale, "axis": axis, "title": title}
    legend = alt.Legend(orient="top", columns=4, title=None, symbolSize=100, symbolStrokeWidth=0)
    base = alt.Chart(data.drop(columns="measure")).encode(
        x=x,
        color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend),
        tooltip=theme.tooltip(
            title="method", size="trials of each pair", value="value", error="standard error", datasets="data sets"
        ),
    )
    lines = base.mark_line(strokeWidth=1.6).encode(
        y=alt.Y("value:Q", **y), strokeDash=alt.StrokeDash("title:N", scale=scales.dash, legend=None)
    )
    bars = base.mark_rule(strokeWidth=1.2).encode(y=alt.Y("low:Q", **y), y2="high:Q")
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=alt.Y("value:Q", **y), shape=alt.Shape("title:N", scale=scales.shape, title=None, legend=legend)
    )
    layers = [lines, bars, points]
    if rate:
        limit = alt.Chart(pd.DataFrame({"rate": [round(nominal, 6)]})).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3])
        layers.insert(0, limit.encode(y=alt.Y("rate:Q", **y)))
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)
