"""Convert answers about negated scores back to logged units, in which lower is better."""

from collections.abc import Mapping

import pandas as pd

VALUES: Mapping[str, tuple[str, ...]] = {
    "multiple_comparisons": ("estimate", "difference_to_best", "difference_to_baseline"),
    "pairwise_differences": ("algorithm_estimate", "baseline_estimate", "estimate"),
    "aggregate_metrics": ("estimate",),
}
"""Columns of an answer in units of the scores, apart from the limits low and high, by kind of question."""


def in_own_units(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the answer of a question about negated scores in the units that were logged.

    Parameters
    ----------
    table : the answer
    kind : kind of the question, one of `VALUES`

    Returns
    -------
    DataFrame
        The answer with a column `lower_is_better`, which is True.
    """
    values = {name: -table[name] for name in VALUES[kind] if name in table}
    for ending in ("", "_whole_runs"):
        if f"low{ending}" in table:
            values |= {f"low{ending}": -table[f"high{ending}"], f"high{ending}": -table[f"low{ending}"]}
    return table.assign(**values, lower_is_better=True)
