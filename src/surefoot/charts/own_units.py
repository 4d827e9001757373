"""Scores of which lower ones are better, as they were logged: tables have them negated, so that higher is better."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

_VALUES: Mapping[str, tuple[str, ...]] = {
    "multiple_comparisons": ("estimate", "difference_to_best", "difference_to_baseline"),
    "pairwise_differences": ("value_x", "value_y", "value"),
    "aggregates": ("value",),
}
"""The columns of an answer that are in the units of the scores, beside the limits low and high, by its kind."""


def in_own_units(tables: dict[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Return the tables, with answers about negated scores in the units in which these were logged.

    Such answers have a column `lower_is_better`, which is true.

    Parameters
    ----------
    tables : by what a drawing knows them by
    settings : of drawings; `negated_scales` names the scales whose scores are negated and not normalized
    """
    negated = settings.get("negated_scales", ())
    turned = {}
    for name, question in settings.get("questions", {}).items():
        key = f"numbers/{name}"
        on_negated = negated and set(question.get("scores", ())) <= set(negated)
        if key in tables and on_negated and question["kind"] in _VALUES and question.get("metric") != "improvement":
            turned[key] = _turned(tables[key], _VALUES[question["kind"]])
    return tables | turned


def _turned(table: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    values = {name: -table[name] for name in columns if name in table}
    for ending in ("", "_whole_runs"):
        if f"low{ending}" in table:
            values |= {f"low{ending}": -table[f"high{ending}"], f"high{ending}": -table[f"low{ending}"]}
    return table.assign(**values, lower_is_better=True)
