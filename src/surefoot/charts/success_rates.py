"""Charts and findings. Success rates, and their differences between policies or trainings."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.intervals import interval_bars, row_marks
from surefoot.charts.names import colour_order, shown
from surefoot.charts.selection import rounded, titles
from surefoot.charts.sentences import counted, percent
from surefoot.result_tables import Tables
from surefoot.rounding import written

_ANSWER = "estimate/success_rate_differences"
_TESTS = {
    "boschloo": "Boschloo's exact test",
    "pooled z": "the z test",
    "mcnemar": "McNemar's exact test",
    "limits of trainings": "the limits of the trainings' rates",
}
_UNITS = {
    "rollout": "Rollouts are what is replicated: this is about these policies, whatever other trainings would give.",
    "start": "Rollouts from the same starts are compared: this is about these policies, whatever other trainings would "
    "give.",
    "training": "Trainings are what is replicated, since rollouts of one are alike: this is about the trainings, "
    "{units} or more of each.",
}
_LEAST = 0.0001


def success_rate_differences_chart(
    tables: Tables, settings: Mapping[str, Any]
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """By how many points the others succeed less often than the best, with intervals: a panel for each environment."""
    numbers = tables[_ANSWER]
    names, places = (
        shown([*numbers["x"], *numbers["y"]], settings),
        titles(numbers["environment"], settings, "environment"),
    )
    behind = pd.concat([_from_best(own) for _, own in numbers.groupby("environment", sort=False)], ignore_index=True)
    drawn = best_of_many(behind.sort_values("value", ascending=False, kind="stable")["other"])
    behind = behind[behind["other"].isin(drawn)]
    panels = behind["environment"].map(places) + ": difference from " + behind["best"].map(names)
    data = rounded(behind[["value", "low", "high"]] * 100.0)
    data = data.assign(title=behind["other"].map(names), panel=panels)
    tooltip = [alt.Tooltip("title:N", title="policy")]
    tooltip += [alt.Tooltip(f"{name}:Q", format=".1f") for name in ("value", "low", "high")]
    scales = theme.scales(names, colour_order(names))
    rows = row_marks(list(dict.fromkeys(data["title"])), scales.colour, tooltip)
    x: dict[str, Any] = {"title": "percentage points", "scale": alt.Scale(zero=True), "axis": alt.Axis(tickCount=5)}
    points = rows.mark_tick(thickness=2.5, size=15, opacity=1).encode(x=alt.X("value:Q", **x))
    none = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0.0))
    columns = min(data["panel"].nunique(), 3)
    width = max(150, (theme.WIDTH - 120) // columns - 22)
    layered = alt.layer(interval_bars(rows, x, 12, 0.55), points, none, data=data)
    layered = layered.properties(width=width, height=20 * data["title"].nunique())
    header = alt.Header(labelLimit=width + 40)
    facet = alt.Facet("panel:N", title=None, sort=list(dict.fromkeys(panels)), header=header)
    chart = with_count(layered.facet(facet, columns=columns), len(drawn), len(names) - 1, "success rate")
    description = (
        f"{success_rate_differences_finding(numbers, settings)} Bars: {percent(settings['confidence'])} intervals"
    )
    return theme.finish(chart, description), numbers


def _from_best(own: pd.DataFrame) -> pd.DataFrame:
    """The differences of all others from the one with the highest rate in an environment, the nearest first: columns
    environment, best, other, value, low, high."""
    rates = dict(zip(own["x"], own["rate_x"], strict=True)) | dict(zip(own["y"], own["rate_y"], strict=True))
    best = max(rates, key=lambda name: rates[name])
    rows = own[(own["x"] == best) | (own["y"] == best)]
    turned = rows["x"] == best
    behind = pd.DataFrame(
        {
            "environment": rows["environment"],
            "best": best,
            "other": rows["y"].where(turned, rows["x"]),
            "value": rows["value"].mask(turned, -rows["value"]),
            "low": rows["low"].mask(turned, -rows["high"]),
            "high": rows["high"].mask(turned, -rows["low"]),
        }
    )
    return behind.sort_values("value", ascending=False, kind="stable")


def success_rate_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How many pairs are separated, the clearest of them, and what is replicated."""
    names, places = shown([*table["x"], *table["y"]], settings), titles(table["environment"], settings, "environment")
    clearest = next(table.sort_values("p_adjusted", kind="stable").itertuples())
    where = f" in {places[clearest.environment]}" if table["environment"].nunique() > 1 else ""
    first, second = (clearest.x, clearest.y) if clearest.value >= 0.0 else (clearest.y, clearest.x)
    rates = sorted((clearest.rate_x, clearest.rate_y), reverse=True)
    ends = sorted((clearest.low, clearest.high) if clearest.value >= 0.0 else (-clearest.high, -clearest.low))
    adjusted = "" if len(table) == 1 else f", adjusted for all pairs {_probability(clearest.p_adjusted)}"
    amount = (
        f"{_share(rates[0])} against {_share(rates[1])}, by {_points(rates[0] - rates[1])} points "
        f"({_points(ends[0])} to {_points(ends[1])}; p {_probability(clearest.p_value)} by "
        f"{_TESTS[clearest.test]}{adjusted})"
    )
    separated = int(table["separated"].sum())
    if separated:
        clear = f"{names[first]} succeeds more often than {names[second]}{where}: {amount}."
    else:
        clear = f"{names[first]} is not shown to succeed more often than {names[second]}{where}: {amount}."
    if len(table) > 1:
        pairs = f"{separated or 'None'} of {counted(len(table), 'pair')} {'is' if separated == 1 else 'are'} separated"
        clear = f"{pairs} at {percent(settings['confidence'])} together. Clearest: {clear}"
    fewest = int(table[["units_x", "units_y"]].min(axis=None))
    return f"{clear} {_UNITS[clearest.unit].format(units=fewest)}"


def _points(difference: float) -> str:
    return written(100.0 * difference, ".1f")


def _probability(p_value: float) -> str:
    return f"= {written(p_value, '#.2g')}" if p_value >= _LEAST else f"< {_LEAST:g}"


def success_rates_finding(found: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """The highest and the lowest rate, and how much trials of a run are alike."""
    names, places = shown(found["algorithm"], settings), titles(found["environment"], settings, "environment")
    several = found["environment"].nunique() > 1

    def told(row: Any) -> str:
        where = f" in {places[row.environment]}" if several else ""
        return f"{names[row.algorithm]}{where}, {_share(row.rate)} ({_share(row.low)} to {_share(row.high)})"

    ordered = found.sort_values("rate", ascending=False, kind="stable")
    highest, lowest = (told(next(part.itertuples())) for part in (ordered.head(1), ordered.tail(1)))
    alike = found["overdispersion"].median()
    correlated = "" if pd.isna(alike) else f": trials of one run are correlated ({written(alike, '.2f')} in the median)"
    return (
        f"Highest success rate: {highest}; lowest: {lowest}. The intervals ({percent(settings['confidence'])} each) "
        f"treat runs, not single trials, as independent{correlated}."
    )


def _share(rate: float) -> str:
    return f"{written(100.0 * rate, '.1f')} %"
