"""Published numbers of the post beside ours, and the charts of its figures."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import p_value_profile
from surefoot.charts.names import FREEDOM_FORMULAS, titles_of
from surefoot.charts.published_numbers import published_chart, with_labels
from surefoot.charts.selection import numbers_of_analysis
from surefoot.papers.recht2018.catalogue import NAMES, SHORT_LABELS
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS, compare
from surefoot.statistics.reproduction.items import item_text

PAIRS = {"figure_r1": ("Blob-PROST 200M", "DQN 200M"), "figure_r2": ("Blob-PROST 200M", "DQN 10M")}
"""The two curves of the published figures."""
CURVES = PAIRS | {"figure_100m": ("Blob-PROST 100M", "DQN 100M")}
"""The same, and those of a further plot of the notebook."""


_SEVERAL = 3
"""Fewer crossings than this are not several."""


def comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The published numbers that this run or the record can be compared with, by the formula that made them."""
    return compared(tables, "notebook")


def compared(tables: Tables, formula: str) -> pd.DataFrame:
    """The same by either formula of the degrees of freedom: "notebook", by which they were made, or "welch"."""
    ours = []
    for key in PAIRS:
        for method, counts in _curves(tables, key, formula).items():
            ours.append((item_text("count", key, method, "first"), float(counts.iloc[0])))
            ours.append((item_text("count", key, method, "last"), float(counts.iloc[-1])))
    # The post says that the curves of its first figure cross several times, those of the second never.
    for key in PAIRS:
        if (lie := how_curves_lie(tables, key, formula)) is not None:
            _, second_higher, _, crossings = lie
            holds = crossings >= _SEVERAL if key == "figure_r1" else second_higher == 0
            ours.append((item_text("claim", key), float(holds)))
    table = pd.DataFrame(ours, columns=["item", "ours"]).assign(standard_error=float("nan"), runs=float("nan"))
    if table.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    return compare(tables["published"], table)


def table_curves(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How the two curves of each figure lie, by each formula.

    Columns figure, formula, first, second (the methods), first_higher, second_higher, neither (points of the grid), and
    crossings.
    """
    rows = []
    for key, (first, second) in CURVES.items():
        for formula in ("notebook", "welch"):
            lie = how_curves_lie(tables, key, formula)
            if lie is not None:
                rows.append((key, formula, first, second, *lie))
    columns = ["figure", "formula", "first", "second", "first_higher", "second_higher", "neither", "crossings"]
    return None, pd.DataFrame(rows, columns=columns)


def how_curves_lie(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> tuple[int, int, int, int] | None:
    """Number of grid points where the first, the second and neither of the two curves is higher, and how often the
    higher curve changes along the grid, where places at which both are equal do not count; None without the curves."""
    curves = _curves(tables, key, formula)
    if curves.empty:
        return None
    first, second = (curves[name].to_numpy() for name in CURVES[key])
    signs = np.sign(first - second).astype(np.int64)
    counts = [int((signs == sign).sum()) for sign in (1, -1, 0)]
    signs = signs[signs != 0]
    return counts[0], counts[1], counts[2], int((signs[1:] != signs[:-1]).sum())


def _curves(tables: Mapping[str, pd.DataFrame], key: str, formula: str) -> pd.DataFrame:
    """The count of games of each method (columns) along the grid; empty where there are no such numbers."""
    table = numbers_of_analysis(tables, key)
    if table is None:
        return pd.DataFrame()
    curves = table[table["degrees_of_freedom"] == formula].pivot(index="threshold", columns="method", values="count")
    return curves[[name for name in table["method"].unique() if name in curves]]


@origin.of_analysis
def rank_profile_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The profile of `settings["analysis"]` from runs by a rank test."""
    titles = titles_of(numbers["method"], settings)
    chart = p_value_profile(numbers, [], titles)
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


def figure_published(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The published numbers of games at the ends of the curves beside ours, by either formula of degrees of freedom.

    Columns formula ("notebook" or "welch"), label, verdict and those of `compare`, of the claims as well.
    """
    sides = [compared(tables, formula).assign(formula=formula) for formula in FREEDOM_FORMULAS]
    numbers = pd.concat([side for side in sides if len(side)] or sides, ignore_index=True)
    if numbers.empty:
        return origin.nothing()
    numbers = with_labels(numbers, SHORT_LABELS, settings, NAMES, tables["published"])
    ends = numbers[~numbers["claim"]].assign(panel=lambda table: table["formula"].map(FREEDOM_FORMULAS))
    data = ends.assign(row=ends["label"], value=ends["ours"], low=ends["ours"], high=ends["ours"])
    data["emphasised"] = data["verdict"] != "differs"
    description = "Published numbers of games at the ends of the curves, with ours by two formulas"
    chart = published_chart(data, "games of 60", columns=2)
    return origin.finish(chart, description, tables, settings, "figure_r1"), numbers
