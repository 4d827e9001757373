"""Convert answers about negated scores back to logged units, in which lower is better."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

_VALUES: Mapping[str, tuple[str, ...]] = {
    "multiple_comparisons": ("estimate", "difference_to_best", "difference_to_baseline"),
    "pairwise_differences": ("value_x", "value_y", "value"),
    "aggregates": ("value",),
}
"""Columns of an answer in units of the scores, apart from the limits low and high, by kind of question."""


def in_own_units(tables: dict[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Return the tables, with answers about negated scores in the units that were logged.

    Such answers get a column `lower_is_better`, which is True.

    Parameters
    ----------
    tables : tables by the names that the drawing uses
    settings : settings of drawings; `negated_scales` names the scales whose scores are negated and not normalized
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
