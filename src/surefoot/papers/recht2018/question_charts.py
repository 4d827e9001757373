"""Charts of the questions and of the published numbers of the post."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import p_value_profile
from surefoot.charts.names import FREEDOM_FORMULAS, titles_of
from surefoot.charts.published_numbers import published_chart, with_labels
from surefoot.charts.selection import numbers_of_analysis
from surefoot.papers.recht2018.comparison import compared
from surefoot.result_tables import Tables


@origin.of_analysis
def rank_profile_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw performance profiles from runs by a rank test."""
    titles = titles_of(numbers["method"], settings)
    chart = p_value_profile(numbers, titles)
    description = f"Performance profiles of {numbers['method'].nunique()} algorithms from their runs, by a rank test"
    return chart, description, numbers


@origin.of_analysis
def welch_profile_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the profile by Welch's test, with both formulas of the degrees of freedom.

    `settings` may have `among`: all methods that have colours, in order, if several figures include some of them.
    """
    data = numbers.assign(panel=numbers["degrees_of_freedom"].map(FREEDOM_FORMULAS))
    data = data.sort_values("degrees_of_freedom", kind="stable")  # the published formula first
    chart = p_value_profile(data, among=settings.get("among"))
    methods = ", ".join(numbers["method"].unique())
    description = f"Performance profiles of {methods} by Welch's test, with two formulas of the degrees of freedom"
    return chart, description, numbers


def welch_differences_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return the number of games on which the two methods differ at usual levels, by each formula.

    Columns formula, level, differ, and a column for each method that is better.
    """
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame(columns=["formula", "level", "differ"])
    numbers = numbers.assign(method=numbers["method"].replace("", "differ"))
    wide = numbers.pivot(index=["degrees_of_freedom", "level"], columns="method", values="count").reset_index()
    wide.insert(0, "formula", wide.pop("degrees_of_freedom").map(FREEDOM_FORMULAS))
    return None, wide.sort_values(["formula", "level"], ascending=[True, False], ignore_index=True)


def figure_published(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Draw the published numbers of games at the ends of the curves and ours, by both formulas of degrees of freedom.

    Columns formula ("notebook" or "welch"), label, verdict and the columns of `compare`, for claims as well. `settings`
    has `labels` of items, and `item_names` for the names in them.
    """
    sides = [compared(tables, formula).assign(formula=formula) for formula in FREEDOM_FORMULAS]
    numbers = pd.concat([side for side in sides if len(side)] or sides, ignore_index=True)
    if numbers.empty:
        return origin.nothing()
    numbers = with_labels(numbers, settings["labels"], settings, settings["item_names"], tables["published"])
    ends = numbers[~numbers["claim"]].assign(panel=lambda table: table["formula"].map(FREEDOM_FORMULAS))
    data = ends.assign(title=ends["label"], value=ends["ours"], low=ends["ours"], high=ends["ours"])
    data["emphasised"] = data["verdict"] != "differs"
    description = "Published numbers of games at the ends of the curves, with ours by two formulas"
    chart = published_chart(data, "games of 60", columns=2)
    return origin.finish(chart, description, tables, settings, "figure_r1"), numbers
