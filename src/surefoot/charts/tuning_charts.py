"""Charts and summary sentences for the effect of tuning on results."""

from collections.abc import Iterable
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.forms import dashed_rule
from surefoot.charts.names import Titles, titles_of, with_titles
from surefoot.charts.sentences import estimate, percent
from surefoot.errors import counted
from surefoot.rounding import joined
from surefoot.statistics.comparison.hyperparameter_sensitivity import SHARE

_HEIGHT = 320  # pixels
_DOT = 5  # pixels from the middle of a dot to its edge
_LINE = 13  # height of a name, in pixels
_AROUND_A_DOT = ((9, -9, "left"), (9, 12, "left"), (-9, -9, "right"), (-9, 12, "right"))
_ACROSS = theme.WIDTH - 80  # pixels
_X = "hyperparameter sensitivity"
_Y = "score, tuned in each environment"


def hyperparameter_sensitivity_chart(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95, baseline: str = ""
) -> alt.TopLevelMixin:
    """Draw the tuned score of each algorithm against its sensitivity, with intervals if available.

    Dashed lines through a `baseline` separate the algorithms that are better or more sensitive than the baseline from
    the others.
    """
    labels = titles_of(table["algorithm"], titles)
    data = pd.DataFrame({"title": labels})
    for quantity in ("sensitivity", "tuned"):
        rows = table[table["quantity"] == quantity].set_index("algorithm")
        data[quantity], data[f"{quantity}_low"], data[f"{quantity}_high"] = _values(rows), rows["low"], rows["high"]
    data[["dx", "dy", "align"]] = _beside_dots(data)
    colours = theme.colour_scale(labels)
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
    for (dx, dy, align), _ in data.groupby(["dx", "dy", "align"], sort=False):
        of_place = marks.transform_filter((alt.datum.dx == dx) & (alt.datum.dy == dy))
        name = of_place.mark_text(align=align, dx=dx, dy=dy, fontSize=theme.TEXT)
        layers.append(name.encode(text="title:N", color=alt.value(theme.INK)))
    if baseline in data.index:
        lines = {"x": data.loc[baseline, "sensitivity"], "y": data.loc[baseline, "tuned"]}
        layers = [*(dashed_rule(**{axis: alt.datum(value)}) for axis, value in lines.items()), *layers]
    chart = alt.layer(*layers).properties(width=_ACROSS, height=_HEIGHT)
    return theme.finish(
        chart, hyperparameter_sensitivity_finding(table, titles=titles, confidence_level=confidence_level)
    )


def _beside_dots(data: pd.DataFrame) -> list[tuple[int, int, str]]:
    """Return for each dot the first position (dx, dy, align) where its name overlaps no other name or dot."""
    right = data["sensitivity"] / (data["sensitivity"].max() or 1.0) * _ACROSS
    down = (data["tuned"].max() - data["tuned"]) / (float(np.ptp(data["tuned"])) or 1.0) * _HEIGHT
    dots = list(zip(right, down, strict=True))
    taken = [(x - _DOT, x + _DOT, y) for x, y in dots]
    places = []
    for title, (x, y) in zip(data["title"], dots, strict=True):
        boxes = {}
        for dx, dy, align in _AROUND_A_DOT:
            begin = x + dx - (theme.LETTER * len(title) if align == "right" else 0)
            boxes[dx, dy, align] = (begin, begin + theme.LETTER * len(title), y + dy)
        place = next((place for place, box in boxes.items() if _is_free(box, taken)), _AROUND_A_DOT[0])
        places.append(place)
        taken.append(boxes[place])
    return places


def _is_free(box: tuple[float, float, float], taken: Iterable[tuple[float, float, float]]) -> bool:
    """Return True if a name, given by its two ends and its height in pixels, overlaps none of the others."""
    begin, end, at = box
    return begin >= 0 and all(
        end < other_begin or other_end < begin or abs(at - other) > _LINE for other_begin, other_end, other in taken
    )


def hyperparameter_sensitivity_finding(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report which algorithms gain most and least by tuning in each environment.

    Algorithms with overlapping intervals are included as ties; if there are no intervals, the reason is stated.
    """
    labels = titles_of(table["algorithm"], titles)
    rows = table[table["quantity"] == "sensitivity"].set_index("algorithm")
    texts = _estimates(rows)
    values = _values(rows).sort_values(kind="stable")
    least, most = (str(values.index[end]) for end in (0, -1))
    if len(values) == 1:
        text = f"{labels[most]} gains by tuning in each environment: {texts[most]}."
    elif rows["low"].isna().any():
        text = f"{labels[most]} gains most by tuning in each environment: {texts[most]}."
        text += f" {labels[least]} gains least: {texts[least]}."
    else:
        ordered = rows.loc[values.index]
        lowest = [labels[name] for name in ordered.index[ordered["low"] <= ordered["high"].min()]]
        highest = [labels[name] for name in ordered.index[ordered["high"] >= ordered["low"].max()]]
        if len(highest) == len(lowest) == len(values):
            text = "No algorithm is shown to gain more by tuning in each environment than another: the estimates "
            estimates = {texts[end].partition(" (")[0] for end in (least, most)}
            text += (
                f"are all {estimates.pop()}." if len(estimates) == 1 else f"range from {texts[least]} to {texts[most]}."
            )
        else:
            verb = "gains" if len(highest) == 1 else "gain"
            text = f"{joined(highest[::-1])} {verb} most by tuning in each environment, {labels[most]} {texts[most]}."
            verb = "gains" if len(lowest) == 1 else "gain"
            text += f" {joined(lowest)} {verb} least, {labels[least]} {texts[least]}."
    if rows["low"].isna().any():
        return f"{text} There are no intervals, and the best of several noisy settings looks better than it is."
    return f"{text} The intervals have {percent(confidence_level)} confidence."


def effective_dimension_chart(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw the share of the tuned score that is reached by tuning k hyperparameters in each environment, against k."""
    labels = titles_of(table["algorithm"], titles)
    fewest = table.drop_duplicates("algorithm").sort_values("dimension", kind="stable")["algorithm"]
    # The share of a tuned score near 0 or below it has no meaning.
    data = table[["algorithm", "size"]].assign(estimate=table["share"].where(table["dimension"].notna()))
    least = max(0.0, min(0.9, float(data["estimate"].fillna(0.9).min())))
    x = alt.X("size:O", title="hyperparameters tuned in each environment", axis=alt.Axis(labelAngle=0))
    ends = alt.Scale(domain=[least, 1.0], nice=False, clamp=True)
    y = alt.Y("estimate:Q", title="share of the tuned score", scale=ends, axis=alt.Axis(format="%"))
    look: dict[str, Any] = {"height": _HEIGHT, "best_first": fewest, "by": "the fewest hyperparameters"}
    chart = curve_chart(data, labels, x, y, reference=SHARE, **look)
    return theme.finish(chart, effective_dimension_finding(table, titles=titles, confidence_level=confidence_level))


def effective_dimension_finding(table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95) -> str:
    """Report how many hyperparameters each algorithm needs, with limits if available."""
    labels = titles_of(table["algorithm"], titles)
    rows = table.dropna(subset="dimension").drop_duplicates("algorithm")
    if rows.empty:
        return "No tuned score is positive, so the effective dimension is not defined."
    limits = "" if rows["low"].isna().all() else f", with {percent(confidence_level)} limits"
    most = counted(int(table["size"].max()), "hyperparameter")
    fewest, largest = (f"{end:.0f}" for end in (rows["dimension"].min(), rows["dimension"].max()))
    span = fewest if fewest == largest else f"{fewest} to {largest}"
    texts = [
        f"{estimate(row.dimension, row.low, row.high, '.0f')} for {labels[row.algorithm]}"
        for row in rows.sort_values("dimension", kind="stable").itertuples()
    ]
    verb = "has" if span == "1" else "have"
    first = f"Of {most}, {span} {verb} to be tuned in each environment for 95 % of the tuned score."
    return f"{first} It takes {joined(texts)}{limits}."


def algorithms_table(
    sensitivity: pd.DataFrame | None = None, dimension: pd.DataFrame | None = None, *, titles: Titles = None
) -> pd.DataFrame:
    """Tabulate sensitivity and dimension, most sensitive algorithm first.

    The columns are algorithm, title, tuned, cross, sensitivity, dimension, interpolated, hyperparameters (the best
    subset of `dimension` hyperparameters), settings, complete_settings. The table is empty unless both tables are
    given.

    Parameters
    ----------
    sensitivity : result of `hyperparameter_sensitivity`
    dimension : result of `effective_dimension`
    titles : titles of algorithms by name
    """
    columns = ["dimension", "interpolated", "hyperparameters", "settings", "complete_settings"]
    if sensitivity is None or dimension is None:
        return pd.DataFrame(columns=["algorithm", "title", "tuned", "cross", "sensitivity", *columns])
    wide = sensitivity.pivot(index="algorithm", columns="quantity", values="estimate")[
        ["tuned", "cross", "sensitivity"]
    ]
    wide = wide.join(dimension[dimension["size"] == dimension["dimension"]].set_index("algorithm")[columns])
    wide = wide.sort_values("sensitivity", ascending=False, kind="stable").reset_index()
    return with_titles(wide, titles)


_SELECTED = ["algorithm", "quantity", "estimate", "held_out", "low", "high", "runs"]


def selection_table(
    sensitivity_few: pd.DataFrame | None = None,
    sensitivity_fresh: pd.DataFrame | None = None,
    dimension_few: pd.DataFrame | None = None,
    dimension_fresh: pd.DataFrame | None = None,
    selection_few: pd.DataFrame | None = None,
    selection_fresh: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
) -> pd.DataFrame:
    """Tabulate estimates of tuning from a few runs of each setting next to those from fresh runs.

    The columns are algorithm, title, quantity ("tuned", "cross", "sensitivity", "dimension", "selection"), estimate,
    held_out, low, high, runs, and the same columns for the fresh runs, such as estimate_fresh.

    Parameters
    ----------
    sensitivity_few, sensitivity_fresh : results of `hyperparameter_sensitivity` for few runs and for fresh runs
    dimension_few, dimension_fresh : results of `effective_dimension`
    selection_few, selection_fresh : results of `hyperparameter_selection`
    titles : titles of algorithms by name
    """
    few = _tuned(sensitivity_few, dimension_few, selection_few)
    fresh = _tuned(sensitivity_fresh, dimension_fresh, selection_fresh)
    both = few.merge(fresh, on=["algorithm", "quantity"], suffixes=("", "_fresh"))
    return with_titles(both, titles)


def _tuned(
    sensitivity: pd.DataFrame | None, dimension: pd.DataFrame | None, selection: pd.DataFrame | None
) -> pd.DataFrame:
    """Return the rows of the given tables, with the columns `_SELECTED`."""
    parts = [] if sensitivity is None else [sensitivity]
    if dimension is not None:
        parts.append(
            dimension.assign(estimate=dimension["dimension"], quantity="dimension").drop_duplicates("algorithm")
        )
    if selection is not None:
        parts.append(selection.assign(quantity="selection"))
    rows = [part[_SELECTED] for part in parts if len(part)]
    return pd.concat(rows) if rows else pd.DataFrame(columns=_SELECTED)


def hyperparameter_selection_finding(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Report the chosen setting of each algorithm, and the value of the setting on held-out runs."""
    labels = titles_of(table["algorithm"], titles)
    rows = table.set_index("algorithm")
    worth = [f"{labels[name]} with {rows.loc[name, 'setting']}: {text}" for name, text in _estimates(rows).items()]
    text = "The settings that are best in all environments together."
    text = f"{text} Mean share of lower scores: {'; '.join(worth)}"
    if rows["low"].isna().any():
        return f"{text}. These are too high, since each is the best of several noisy values."
    return f"{text}, with {percent(confidence_level)} limits."


def _values(table: pd.DataFrame) -> pd.Series:
    """Return the held-out values of the chosen settings, or else the means; sensitivities are at least 0."""
    values = table["held_out"].fillna(table["estimate"])
    return values.clip(lower=0.0) if "quantity" in table and set(table["quantity"]) == {"sensitivity"} else values


def _estimates(table: pd.DataFrame) -> dict[str, str]:
    """Return {algorithm: value with its limits}."""
    ends = zip(_values(table), table["low"], table["high"], strict=True)
    return {name: estimate(*numbers, ".2f") for name, numbers in zip(table.index, ends, strict=True)}
