"""Charts and findings. How much of a result is tuning."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import curve_chart
from surefoot.charts.forms import dashed_rule, leaders_of
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import counted, joined, percent
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.comparison.tuning import SHARE

_HEIGHT = 320  # pixels
_X, _Y = "hyperparameter sensitivity", "score, tuned in each environment"


@origin.of_analysis
def hyperparameter_sensitivity_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The tuned score of each algorithm by its sensitivity, with intervals of both where there are any."""
    titles = shown(numbers["algorithm"], settings)
    data = pd.DataFrame({"title": titles})
    for quantity in ("sensitivity", "tuned"):
        rows = numbers[numbers["quantity"] == quantity].set_index("algorithm")
        data[quantity], data[f"{quantity}_low"], data[f"{quantity}_high"] = _estimate(rows), rows["low"], rows["high"]
    data["crowded"] = _has_one_to_the_right(data["sensitivity"], data["tuned"])
    best = data.sort_values("tuned", ascending=False, kind="stable").index
    colours = theme.scales(titles, colour_order(titles), leaders_of(best)).colour
    tooltip = {"title": "algorithm", "sensitivity": "sensitivity", "tuned": "tuned"}
    tooltip |= {f"{name}_{end}": f"{name}, {end}" for name in ("sensitivity", "tuned") for end in ("low", "high")}
    x, y = alt.X("sensitivity:Q", title=_X), alt.Y("tuned:Q", title=_Y, scale=alt.Scale(zero=False, padding=12))
    marks = alt.Chart(rounded(data)).encode(
        x=x, y=y, color=alt.Color("title:N", scale=colours, legend=None), tooltip=theme.tooltip(**tooltip)
    )
    layers = [marks.mark_point(filled=True, size=90, opacity=1)]
    if data["sensitivity_low"].notna().any():
        rules = marks.mark_rule(strokeWidth=2, opacity=0.5)
        layers.append(rules.encode(x=alt.X("sensitivity_low:Q", title=_X), x2="sensitivity_high:Q"))
        layers.append(rules.encode(y=alt.Y("tuned_low:Q", title=_Y), y2="tuned_high:Q"))
    name = marks.encode(text="title:N")
    layers.append(name.transform_filter("!datum.crowded").mark_text(align="left", dx=9, dy=-9, fontSize=theme.TEXT))
    layers.append(name.transform_filter("datum.crowded").mark_text(align="right", dx=-9, dy=-9, fontSize=theme.TEXT))
    chart = alt.layer(*layers).properties(width=theme.WIDTH - 80, height=_HEIGHT)
    return chart, hyperparameter_sensitivity_finding(numbers, settings), numbers


def _has_one_to_the_right(x: pd.Series, y: pd.Series) -> list[bool]:
    """Whether a point has another one where its name would stand to its right."""
    width, height = 0.2 * (x.max() - min(x.min(), 0.0)), 0.1 * (y.max() - y.min())
    return [
        bool(((x > left) & (x < left + width) & ((y - top).abs() < height)).any())
        for left, top in zip(x, y, strict=True)
    ]


def hyperparameter_sensitivity_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithms gain least and most by tuning in each environment, with intervals, or why there are none."""
    titles = shown(table["algorithm"], settings)
    rows = table[table["quantity"] == "sensitivity"].set_index("algorithm")
    gains = _estimate(rows)
    least, most = gains.idxmin(), gains.idxmax()
    clauses = [f"{titles[most]} gains {_with_limits(gains, rows, most)}"]
    if least != most:
        clauses = [f"{titles[least]} gains least, {_with_limits(gains, rows, least)}"]
        clauses.append(f"{titles[most]} most, {_with_limits(gains, rows, most)}")
    first = f"{titles[most]} gains most by tuning in each environment."
    text = f"{first} Tuned so instead of once for all, {joined(clauses)}"
    if rows["low"].isna().any():
        return f"{text}: of means without intervals, in which the best settings look better than they are."
    return f"{text}, with {percent(settings['confidence'])} intervals."


@origin.of_analysis
def effective_dimension_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The share of the tuned score by the number of hyperparameters that are tuned in each environment."""
    titles = shown(numbers["algorithm"], settings)
    fewest = numbers.drop_duplicates("algorithm").sort_values("dimension", kind="stable")["algorithm"]
    data = numbers[["algorithm", "size"]].assign(value=numbers["share"])
    x = alt.X("size:O", title="hyperparameters tuned in each environment", axis=alt.Axis(labelAngle=0))
    y = alt.Y("value:Q", title="share of the tuned score", scale=alt.Scale(zero=False), axis=alt.Axis(format="%"))
    look: dict[str, Any] = {"height": _HEIGHT, "among": colour_order(titles), "leaders": leaders_of(fewest)}
    curves = curve_chart(data, titles, x, y, points=True, **look)
    chart = alt.layer(dashed_rule(y=alt.datum(SHARE)), curves)
    return chart, effective_dimension_finding(numbers, settings), numbers


def effective_dimension_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many hyperparameters each algorithm needs, with limits where there are any."""
    titles, most = shown(table["algorithm"], settings), int(table["size"].max())
    rows = table.drop_duplicates("algorithm").set_index("algorithm")
    sizes = rows["dimension"].dropna()
    if sizes.empty:
        return "No tuned score is positive, so there is nothing to reach 95 % of."
    clauses = []
    for size in sorted(set(sizes)):
        names = [titles[name] + _limits(rows, name, ".0f") for name in sizes.index[sizes == size]]
        clauses.append(f"{size:.0f} for {joined(names)}")
    of_all = counted(most, "hyperparameter")
    limits = "" if rows["low"].isna().all() else f", with {percent(settings['confidence'])} limits"
    text = f"{sizes.min():.0f} to {sizes.max():.0f} of {of_all} have to be tuned for 95 % of the tuned score."
    return f"{text} In each environment, {joined(clauses)}{limits}."


def algorithms_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row for each algorithm, the most sensitive first, of the analyses "sensitivity" and "dimension" of a study.

    Columns algorithm, title, tuned, cross, sensitivity, dimension, interpolated, hyperparameters (the best subset of as
    many as the dimension), settings, complete_settings; no rows where an analysis is neither in this run nor in a
    record.
    """
    columns = ["dimension", "interpolated", "hyperparameters", "settings", "complete_settings"]
    values, sizes = (numbers_of_analysis(tables, name) for name in ("sensitivity", "dimension"))
    if values is None or sizes is None:
        return None, pd.DataFrame(columns=["algorithm", "title", "tuned", "cross", "sensitivity", *columns])
    wide = values.pivot(index="algorithm", columns="quantity", values="value")[["tuned", "cross", "sensitivity"]]
    wide = wide.join(sizes[sizes["size"] == sizes["dimension"]].set_index("algorithm")[columns])
    wide = wide.sort_values("sensitivity", ascending=False, kind="stable").reset_index()
    wide.insert(1, "title", wide["algorithm"].map(shown(wide["algorithm"], settings)))
    return None, wide


def hyperparameter_selection_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The setting that is chosen for each algorithm, and what it is worth by other runs."""
    titles = shown(table["algorithm"], settings)
    rows = table.set_index("algorithm")
    worth = _estimate(rows)
    chosen = [f"{titles[name]} with {rows.loc[name, 'setting']}" for name in rows.index]
    values = [f"{chosen[place]}: {_with_limits(worth, rows, name)}" for place, name in enumerate(rows.index)]
    text = "The settings that are best in all environments together."
    text = f"{text} By the mean share of scores that are lower, {'; '.join(values)}"
    if rows["low"].isna().any():
        return f"{text}. As values of the best of noisy settings, these are too high."
    return f"{text}, with {percent(settings['confidence'])} limits."


def _estimate(table: pd.DataFrame) -> pd.Series:
    """What other runs say of the chosen settings, or else the means themselves."""
    return table["held_out"].fillna(table["value"])


def _with_limits(values: pd.Series, table: pd.DataFrame, name: str) -> str:
    return written(float(values[name]), ".2f") + _limits(table, name, ".2f")


def _limits(table: pd.DataFrame, name: str, form: str) -> str:
    low, high = table.loc[name, ["low", "high"]].astype(float)
    return "" if pd.isna(low) else f" ({written(low, form)} to {written(high, form)})"
