"""Convert results for negated scores back to the units of the logs, in which lower is better."""

from collections.abc import Mapping

import pandas as pd

VALUES: Mapping[str, tuple[str, ...]] = {
    "multiple_comparisons": ("estimate", "difference_to_best", "difference_to_baseline"),
    "pairwise_differences": ("algorithm_estimate", "baseline_estimate", "estimate"),
    "aggregate_metrics": ("estimate",),
}
"""Columns of a result in units of the scores, besides the limits low and high, by kind of question."""


def in_own_units(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Convert the result of a question about negated scores to the units that were logged.

    Parameters
    ----------
    table : the result
    kind : kind of the question, one of `VALUES`

    Returns
    -------
    DataFrame
        The result with a column `lower_is_better`, which is True.
    """
    values = {name: -table[name] for name in VALUES[kind] if name in table}
    for ending in ("", "_whole_runs"):
        if f"low{ending}" in table:
            values |= {f"low{ending}": -table[f"high{ending}"], f"high{ending}": -table[f"low{ending}"]}
    return table.assign(**values, lower_is_better=True)
