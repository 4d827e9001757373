"""How a comparison after every run is shown."""

from collections.abc import Iterator, Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.looks import LOOKS, not_compared, with_rule
from surefoot.charts.names import shown
from surefoot.charts.selection import asked, numbers_of_analysis
from surefoot.charts.sentences import counted, percent
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.runs.run_effect_findings import round_finding


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The probability that x beats y as it was known after every round."""
    numbers = numbers_of_analysis(tables, settings.get("analysis", "sequential_comparison"))
    if numbers is None:
        return not_compared()
    x, y = _sides(numbers, settings)
    ordinary = numbers.assign(low=numbers["ordinary_low"], high=numbers["ordinary_high"], algorithm="percentile")
    both = pd.concat([numbers.assign(algorithm="betting"), ordinary.dropna(subset="low")], ignore_index=True)
    position = alt.X("round:Q", title="runs of each algorithm and task", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title=f"P({x} > {y})", scale=alt.Scale(domain=[0, 1]))
    columns = ["algorithm", "round", "value", "low", "high"]
    chart = with_rule(curve_chart(both[columns], LOOKS, position, value, height=240), 0.5)
    chart = of_classes(chart)
    return theme.finish(chart, f"Probability that {x} beats {y} after every run, with two kinds of limits"), numbers


def _sides(looks: pd.DataFrame, settings: Mapping[str, Any]) -> Iterator[str]:
    names = shown([*looks["x"], *looks["y"]], settings)
    return (names[looks[side].iloc[0]] for side in "xy")


def independence_sentence(looks: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether each task of a round counted as an outcome of its own."""
    last = looks.iloc[-1]
    inflation = (last["inflation"], last["inflation_low"], last["inflation_high"])
    return round_finding(
        asked(settings, "sequential_comparison")["tasks_independent"],
        int(looks["apart"].sum()),
        len(looks),
        inflation,
        int(last["tasks"]),
    )


def finding(looks: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which of the two is better and after how many runs that was known, or what is known so far."""
    x, y = _sides(looks, settings)
    last, level = looks.iloc[-1], percent(settings["confidence"])
    waiting = f" Up to {counted(int(last['left_out']), 'run')} per task have no counterpart and are not compared."
    waiting = waiting if last["left_out"] else ""
    value, low, high = (written(float(last[key]), ".3f") for key in ("value", "low", "high"))
    so_far = f"P({x} > {y}) is {value} ({low} to {high})"
    decided = looks[looks["decided"].astype(bool)]
    if decided.empty:
        return (
            f"Not decided after {counted(len(looks), 'run')} per task: {so_far}, at {level} confidence for all looks "
            f"together.{waiting}"
        )
    first = decided.iloc[0]
    better = x if first["low"] > 0.5 else y
    return (
        f"Decided after {counted(int(first['round']), 'run')} per task: {better} is better. After all {len(looks)}, "
        f"{so_far}, at {level} confidence for all looks together.{waiting}"
    )
