"""How differences between learning curves are shown: those of the algorithm that ends highest from the others."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.axes import steps_axis
from surefoot.charts.curves import curve_chart
from surefoot.charts.names import METRICS, colour_order, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import joined
from surefoot.charts.steps import at_step, steps_column, steps_title
from surefoot.questions.sample_efficiency.show import remarks_of_bands
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """By how much the algorithm that ends highest is above each other one, by steps of training."""
    analysis = settings["analysis"]
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return origin.nothing(settings)
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    ahead, steps = _ahead(numbers), steps_column(numbers)
    best = titles[ahead["best"].iloc[0]]
    others = {name: titles[name] for name in dict.fromkeys(ahead["other"])}
    data = ahead.rename(columns={"other": "algorithm"}).assign(panel=f"{best} less " + ahead["other"].map(titles))
    metric = METRICS.get(numbers["metric"].iloc[0], numbers["metric"].iloc[0])
    x = steps_axis(steps, steps_title(steps, settings))
    y = alt.Y("value:Q", title=f"difference of the {metric}")
    found = curve_chart(
        data[["algorithm", steps, "value", "low", "high", "panel"]],
        others,
        x,
        y,
        list(dict.fromkeys(data["panel"])),
        height=190,
        among=colour_order(titles),
    )
    none = alt.Chart().mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0.0))
    found.spec.layer.append(none)
    description = finding(numbers, settings)
    return origin.finish(found, description, tables, settings, analysis), numbers


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """From which others the algorithm that ends highest is separated, and from which step on."""
    titles = shown([*table["x"], *table["y"]], settings)
    ahead, steps = _ahead(table), steps_column(table)
    best = titles[ahead["best"].iloc[0]]
    told, sometimes, never = [], [], []
    for name, rows in ahead.groupby("other", sort=False):
        above = (rows["low"] > 0).to_numpy()
        if above[-1]:
            since = rows[steps].iloc[len(above) - int((~above)[::-1].argmax()) if not above.all() else 0]
            told.append(f"{titles[name]} from {at_step(since, steps, settings)} on")
        elif above.any() or (rows["high"] < 0).any():
            sometimes.append(titles[name])
        else:
            never.append(titles[name])
    parts = [f"is better than {joined(told)}"] if told else []
    parts += [f"differs from {joined(sometimes)} at some steps but not at the last"] if sometimes else []
    parts += [f"is not separated from {joined(never)} at any step"] if never else []
    return f"{best}, which ends highest, {'; '.join(parts)}.{remarks_of_bands(table)}"


def _ahead(numbers: pd.DataFrame) -> pd.DataFrame:
    """The differences of the algorithm that ends highest from the others.

    Returns
    -------
    columns best, other, value, low, high, and the steps
    """
    steps = steps_column(numbers)
    last = numbers[numbers[steps] == numbers[steps].max()]
    both = pd.concat([last, last.rename(columns={"x": "y", "y": "x"}).assign(value=-last["value"])])
    best = both.groupby("x", sort=False)["value"].min().idxmax()
    rows = numbers[(numbers["x"] == best) | (numbers["y"] == best)]
    turned = rows["y"] == best
    return pd.DataFrame(
        {
            "best": best,
            "other": rows["x"].where(turned, rows["y"]),
            steps: rows[steps],
            "value": rows["value"].mask(turned, -rows["value"]),
            "low": rows["low"].mask(turned, -rows["high"]),
            "high": rows["high"].mask(turned, -rows["low"]),
        }
    ).reset_index(drop=True)
