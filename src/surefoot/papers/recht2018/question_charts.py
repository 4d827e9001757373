"""Charts and findings. What only the figures of Recht 2018 ask: profiles of tests, ranks and times."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import p_value_profile
from surefoot.charts.names import FREEDOM_FORMULAS, colour_order, shown
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


@origin.of_analysis
def rank_profile_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The profile of `settings["analysis"]` from runs by a rank test."""
    titles = shown(numbers["method"], settings)
    chart = p_value_profile(numbers, [], titles, among=colour_order(titles))
    description = f"Performance profiles of {numbers['method'].nunique()} algorithms from their runs, by a rank test"
    return chart, description, numbers


@origin.of_analysis
def welch_profile_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The profile of `settings["analysis"]` by Welch's test, with either degrees of freedom.

    `settings` may have `among`: all methods that have colours, in order, where several figures show some of them.
    """
    data = numbers.assign(panel=numbers["degrees_of_freedom"].map(FREEDOM_FORMULAS))
    chart = p_value_profile(data, list(FREEDOM_FORMULAS.values()), among=settings.get("among"))
    methods = ", ".join(numbers["method"].unique())
    description = f"Performance profiles of {methods} by Welch's test, with two formulas of the degrees of freedom"
    return chart, description, numbers


def welch_differences_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """On how many games the two methods differ at usual levels, by either formula: columns formula, level, differ,
    and a column for each method that is better."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame(columns=["formula", "level", "differ"])
    numbers = numbers.assign(method=numbers["method"].replace("", "differ"))
    wide = numbers.pivot(index=["degrees_of_freedom", "level"], columns="method", values="count").reset_index()
    wide.insert(0, "formula", wide.pop("degrees_of_freedom").map(FREEDOM_FORMULAS))
    return None, wide.sort_values(["formula", "level"], ascending=[True, False], ignore_index=True)
