"""How rates of false alarms are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import curve_chart
from surefoot.charts.headline import of_classes
from surefoot.charts.looks import LOOKS, not_compared, with_rule
from surefoot.charts.names import shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import percent
from surefoot.result_tables import Tables


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """How often a difference was ever found where there is none, by the number of looks."""
    analysis = settings.get("analysis", "false_alarm_rates")
    numbers = numbers_of_analysis(tables, analysis)
    if numbers is None:
        return not_compared("There is no record of a larger run." if analysis.startswith(origin.RECORDED) else None)
    reach = 2 * numbers["standard_error"]
    limits = {"low": (numbers["ever"] - reach).clip(lower=0), "high": (numbers["ever"] + reach).clip(upper=1)}
    data = numbers[["round"]].assign(algorithm=numbers["method"], value=numbers["ever"], **limits)
    position = alt.X("round:Q", title="looks, one after every run", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title="ever found a difference", scale=alt.Scale(domainMin=0))
    chart = curve_chart(data, LOOKS, position, value, height=220)
    chart = with_rule(chart, 1 - settings["confidence"])
    description = "Fraction of experiments without a difference in which one was ever found, by number of looks"
    chart = of_classes(chart)
    return origin.finish(chart, description, tables, settings, analysis), numbers


def finding(alarms: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How often a difference was found where there is none, by either kind of interval."""
    last = _last(alarms)
    ordinary, sequence = (
        f"{100 * last.loc[key, 'ever']:.1f} ± {100 * last.loc[key, 'standard_error']:.1f} %"
        for key in ("percentile", "betting")
    )
    name = alarms["algorithm"].iloc[0]
    title = shown(alarms["algorithm"], settings)[name]
    return (
        f"Comparing {title} with itself after each of {int(last['round'].iloc[0])} runs, the ordinary interval finds a "
        f"difference in {ordinary} of comparisons, the confidence sequence in {sequence}."
    )


def caption(alarms: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What was simulated, and what the errors are."""
    last = _last(alarms)
    name = alarms["algorithm"].iloc[0]
    title = shown(alarms["algorithm"], settings)[name]
    return (
        f"{int(last['experiments'].iloc[0]):,} simulated comparisons of {title} with itself. Bands: two standard "
        f"errors of the simulation (±: one). Dashed: {percent(1 - settings['confidence'])}, what "
        f"{percent(settings['confidence'])} confidence allows."
    )


def _last(alarms: pd.DataFrame) -> pd.DataFrame:
    """The rates after the last look, by method."""
    return alarms[alarms["round"] == alarms["round"].max()].set_index("method")
