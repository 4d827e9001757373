"""Charts and findings of how much of a result is tuning."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import colour_order, titles_of, with_titles
from surefoot.charts.selection import RECORDED, numbers_of_analysis
from surefoot.charts.sentences import estimate, percent
from surefoot.result_tables import Tables
from surefoot.rounding import counted, joined
from surefoot.statistics.comparison.tuning import SHARE

_HEIGHT = 320  # pixels
_X = "hyperparameter sensitivity"
_Y = "score, tuned in each environment"


@origin.of_analysis
def hyperparameter_sensitivity_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the tuned score of each algorithm against its sensitivity, with intervals if available."""
    titles = titles_of(numbers["algorithm"], settings)
    data = pd.DataFrame({"title": titles})
    for quantity in ("sensitivity", "tuned"):
        rows = numbers[numbers["quantity"] == quantity].set_index("algorithm")
        data[quantity], data[f"{quantity}_low"], data[f"{quantity}_high"] = _values(rows), rows["low"], rows["high"]
    best = data.sort_values("tuned", ascending=False, kind="stable").index
    colours = theme.colour_scale(titles, colour_order(titles), best[:2])
    tooltip = {"title": "algorithm", "sensitivity": "sensitivity", "tuned": "tuned"}
    tooltip |= {f"{name}_{end}": f"{name}, {end}" for name in ("sensitivity", "tuned") for end in ("low", "high")}
    x = alt.X("sensitivity:Q", title=_X)
    y = alt.Y("tuned:Q", title=_Y, scale=alt.Scale(zero=False, padding=12))
    marks = alt.Chart(theme.chart_data(theme.with_tooltips(data, tooltip))).encode(
        x=x, y=y, color=alt.Color("title:N", scale=colours, legend=None)
    )
    layers = [marks.mark_point(filled=True, size=90, opacity=1, aria=True).encode(**theme.TOOLTIP)]
    if data["sensitivity_low"].notna().any():
        rules = marks.mark_rule(strokeWidth=2, opacity=0.5)
        layers.append(rules.encode(x=alt.X("sensitivity_low:Q", title=_X), x2="sensitivity_high:Q"))
        layers.append(rules.encode(y=alt.Y("tuned_low:Q", title=_Y), y2="tuned_high:Q"))
    layers.append(marks.mark_text(align="left", dx=9, dy=-9, fontSize=theme.TEXT).encode(text="title:N"))
    chart = alt.layer(*layers).properties(width=theme.WIDTH - 80, height=_HEIGHT)
    return chart, hyperparameter_sensitivity_finding(numbers, settings), numbers


def hyperparameter_sensitivity_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which algorithms gain most and least by tuning in each environment.

    Ties, as far as the intervals reach, are included; without intervals, say why there are none.
    """
    titles = titles_of(table["algorithm"], settings)
    rows = table[table["quantity"] == "sensitivity"].set_index("algorithm")
    texts = _estimates(rows)
    values = _values(rows).sort_values(kind="stable")
    least, most = (str(values.index[end]) for end in (0, -1))
    if len(values) == 1:
        text = f"{titles[most]} gains by tuning in each environment: {texts[most]}."
    elif rows["low"].isna().any():
        text = f"{titles[most]} gains most by tuning in each environment: {texts[most]}."
        text += f" {titles[least]} gains least: {texts[least]}."
    else:
        ordered = rows.loc[values.index]
        lowest = [titles[name] for name in ordered.index[ordered["low"] <= ordered["high"].min()]]
        highest = [titles[name] for name in ordered.index[ordered["high"] >= ordered["low"].max()]]
        if len(highest) == len(lowest) == len(values):
            text = "No algorithm is shown to gain more by tuning in each environment than another: the estimates range "
            text += f"from {texts[least]} to {texts[most]}."
        else:
            verb = "gains" if len(highest) == 1 else "gain"
            text = f"{joined(highest[::-1])} {verb} most by tuning in each environment, {titles[most]} {texts[most]}."
            verb = "gains" if len(lowest) == 1 else "gain"
            text += f" {joined(lowest)} {verb} least, {titles[least]} {texts[least]}."
    if rows["low"].isna().any():
        return f"{text} Without intervals, the best of noisy settings look better than they are."
    return f"{text} The intervals are of {percent(settings['confidence'])}."


@origin.of_analysis
def effective_dimension_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the share of the tuned score by the number of hyperparameters tuned in each environment."""
    titles = titles_of(numbers["algorithm"], settings)
    fewest = numbers.drop_duplicates("algorithm").sort_values("dimension", kind="stable")["algorithm"]
    # The share of a tuned score near 0 or below it has no meaning.
    data = numbers[["algorithm", "size"]].assign(value=numbers["share"].where(numbers["dimension"].notna()))
    least = max(0.0, min(0.9, float(data["value"].fillna(0.9).min())))
    x = alt.X("size:O", title="hyperparameters tuned in each environment", axis=alt.Axis(labelAngle=0))
    ends = alt.Scale(domain=[least, 1.0], nice=False, clamp=True)
    y = alt.Y("value:Q", title="share of the tuned score", scale=ends, axis=alt.Axis(format="%"))
    look: dict[str, Any] = {"height": _HEIGHT, "best_first": fewest, "by": "the fewest hyperparameters"}
    chart = curve_chart(data, titles, x, y, reference=SHARE, **look)
    return chart, effective_dimension_finding(numbers, settings), numbers


def effective_dimension_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report how many hyperparameters each algorithm needs, with limits if available."""
    titles = titles_of(table["algorithm"], settings)
    rows = table.dropna(subset="dimension").drop_duplicates("algorithm")
    if rows.empty:
        return "No tuned score is positive, so there is nothing to reach 95 % of."
    limits = "" if rows["low"].isna().all() else f", with {percent(settings['confidence'])} limits"
    most = counted(int(table["size"].max()), "hyperparameter")
    fewest, largest = (f"{end:.0f}" for end in (rows["dimension"].min(), rows["dimension"].max()))
    span = fewest if fewest == largest else f"{fewest} to {largest}"
    texts = [
        f"{estimate(row.dimension, row.low, row.high, '.0f')} for {titles[row.algorithm]}"
        for row in rows.sort_values("dimension", kind="stable").itertuples()
    ]
    verb = "has" if span == "1" else "have"
    first = f"Of {most}, {span} {verb} to be tuned in each environment for 95 % of the tuned score."
    return f"{first} It takes {joined(texts)}{limits}."


def algorithms_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Tabulate the analyses "sensitivity" and "dimension" of a study, most sensitive algorithm first.

    Columns algorithm, title, tuned, cross, sensitivity, dimension, interpolated, hyperparameters (best subset with as
    many as the dimension), settings, complete_settings; without rows if neither this run nor a record has an analysis.
    """
    columns = ["dimension", "interpolated", "hyperparameters", "settings", "complete_settings"]
    values, sizes = (numbers_of_analysis(tables, name) for name in ("sensitivity", "dimension"))
    if values is None or sizes is None:
        return None, pd.DataFrame(columns=["algorithm", "title", "tuned", "cross", "sensitivity", *columns])
    wide = values.pivot(index="algorithm", columns="quantity", values="value")[["tuned", "cross", "sensitivity"]]
    wide = wide.join(sizes[sizes["size"] == sizes["dimension"]].set_index("algorithm")[columns])
    wide = wide.sort_values("sensitivity", ascending=False, kind="stable").reset_index()
    return None, with_titles(wide, settings)


def selection_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What few runs of each setting say of tuning, and what fresh runs say, of this run or of a larger record.

    Of the analyses "sensitivity_few", "sensitivity_fresh", and likewise "dimension" and "selection": columns algorithm,
    title, quantity ("tuned", "cross", "sensitivity", "dimension", "selection"), value, held_out, low, high, runs, and
    the same of the fresh runs, such as value_fresh.
    """
    columns = ["algorithm", "quantity", "value", "held_out", "low", "high", "runs"]
    sides = []
    for side in ("few", "fresh"):
        rows = pd.DataFrame(columns=columns)
        for kind in ("sensitivity", "dimension", "selection"):
            name = f"{kind}_{side}"
            numbers = tables.get(f"{RECORDED}{name}", numbers_of_analysis(tables, name))
            if numbers is None:
                continue
            if kind == "dimension":
                numbers = numbers.assign(value=numbers["dimension"]).drop_duplicates("algorithm")
            if kind != "sensitivity":
                numbers = numbers.assign(quantity=kind)
            rows = pd.concat([rows, numbers[columns]]) if len(rows) else numbers[columns]
        sides.append(rows)
    few, fresh = sides
    both = few.merge(fresh, on=["algorithm", "quantity"], suffixes=("", "_fresh"))
    return None, with_titles(both, settings)


def hyperparameter_selection_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report the chosen setting of each algorithm, and its value on held-out runs."""
    titles = titles_of(table["algorithm"], settings)
    rows = table.set_index("algorithm")
    worth = [f"{titles[name]} with {rows.loc[name, 'setting']}: {text}" for name, text in _estimates(rows).items()]
    text = "The settings that are best in all environments together."
    text = f"{text} By the mean share of scores that are lower, {'; '.join(worth)}"
    if rows["low"].isna().any():
        return f"{text}. As values of the best of noisy settings, these are too high."
    return f"{text}, with {percent(settings['confidence'])} limits."


def _values(table: pd.DataFrame) -> pd.Series:
    """Return the held-out values of the chosen settings, or else the means; sensitivities are not negative."""
    values = table["held_out"].fillna(table["value"])
    return values.clip(lower=0.0) if "quantity" in table and set(table["quantity"]) == {"sensitivity"} else values


def _estimates(table: pd.DataFrame) -> dict[str, str]:
    """Return {algorithm: value with its limits}."""
    ends = zip(_values(table), table["low"], table["high"], strict=True)
    return {name: estimate(*numbers, ".2f") for name, numbers in zip(table.index, ends, strict=True)}
