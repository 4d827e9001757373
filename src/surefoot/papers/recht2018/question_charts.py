"""Charts of the questions and of the published numbers of the post."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import p_value_profile
from surefoot.charts.drawing import NOT_AT_HAND
from surefoot.charts.names import FREEDOM_FORMULAS, Titles, titles_of
from surefoot.charts.published_numbers import published_chart, with_labels
from surefoot.papers.recht2018.comparison import compared


def rank_profile_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw performance profiles of runs by a rank test."""
    labels = titles_of(table["method"], titles)
    chart = p_value_profile(table, labels)
    description = f"Performance profiles of {table['method'].nunique()} algorithms from their runs, by a rank test"
    return theme.finish(chart, description)


def welch_profile_chart(table: pd.DataFrame, *, among: Sequence[str] | None = None) -> alt.TopLevelMixin:
    """Draw the profile by Welch's test, with both formulas for the degrees of freedom.

    Parameters
    ----------
    table : result of `welch_profile`
    among : all methods that have colours, in order, if several figures include some of them
    """
    data = table.assign(panel=table["degrees_of_freedom"].map(FREEDOM_FORMULAS))
    data = data.sort_values("degrees_of_freedom", kind="stable")  # the published formula first
    chart = p_value_profile(data, among=among)
    methods = ", ".join(table["method"].unique())
    description = f"Performance profiles of {methods} by Welch's test, with two formulas of the degrees of freedom"
    return theme.finish(chart, description)


def welch_differences_table(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the number of games on which the two methods differ at common levels, by each formula.

    The columns are formula, level, differ, and a column for each method that is better.
    """
    if table is None:
        return pd.DataFrame(columns=["formula", "level", "differ"])
    numbers = table.assign(method=table["method"].replace("", "differ"))
    wide = numbers.pivot(index=["degrees_of_freedom", "level"], columns="method", values="count").reset_index()
    wide.insert(0, "formula", wide.pop("degrees_of_freedom").map(FREEDOM_FORMULAS))
    return wide.sort_values(["formula", "level"], ascending=[True, False], ignore_index=True)


def figure_published_numbers(
    published: pd.DataFrame,
    answers: Mapping[str, pd.DataFrame],
    *,
    labels: Mapping[str, str] | None = None,
    titles: Titles = None,
    item_names: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Tabulate the published numbers and ours, by both formulas for degrees of freedom.

    The columns are formula ("notebook" or "welch"), label, verdict and the columns of `compare`, for claims as well.

    Parameters
    ----------
    published : published numbers
    answers : results of `welch_profile` by the name of the question
    labels : templates of the labels of items
    titles, item_names : titles of methods, and of other names in items
    """
    sides = [compared(published, answers, formula).assign(formula=formula) for formula in FREEDOM_FORMULAS]
    numbers = pd.concat([side for side in sides if len(side)] or sides, ignore_index=True)
    if numbers.empty:
        return theme.note_numbers()
    return with_labels(numbers, labels or {}, {**(titles or {}), **(item_names or {})}, published)


def figure_published(
    published: pd.DataFrame,
    answers: Mapping[str, pd.DataFrame],
    *,
    labels: Mapping[str, str] | None = None,
    titles: Titles = None,
    item_names: Mapping[str, str] | None = None,
) -> alt.TopLevelMixin:
    """Draw the published numbers of games at the ends of the curves and ours, by both formulas for degrees of freedom.

    The parameters are those of `figure_published_numbers`.
    """
    numbers = figure_published_numbers(published, answers, labels=labels, titles=titles, item_names=item_names)
    if numbers.empty:
        return theme.note_chart(text=NOT_AT_HAND)
    ends = numbers[~numbers["claim"]].assign(panel=lambda table: table["formula"].map(FREEDOM_FORMULAS))
    data = ends.assign(title=ends["label"], estimate=ends["ours"], low=ends["ours"], high=ends["ours"])
    data["emphasised"] = data["verdict"] != "differs"
    description = "Published numbers of games at the ends of the curves, with ours by two formulas"
    chart = published_chart(data, "games of 60", columns=2)
    return theme.finish(chart, description)
