"""Distances from the best method by Welch's test, of published means (Recht 2018)."""

from collections.abc import Iterator, Sequence

import numpy as np

from surefoot.questions.answering import Sets
from surefoot.statistics.profiles.dolan_more import DEGREES_OF_FREEDOM, welch_distances
from surefoot.statistics.runs.samples_of_tasks import algorithms_of


def welch_tables(sets: Sets, methods: Sequence[str]) -> Iterator[tuple[str, list[str], np.ndarray]]:
    """(formula, methods, distances float64[tasks, methods]) for either formula of the degrees of freedom."""
    (table,) = sets.values()
    columns, methods = ("score", "deviation", "runs"), algorithms_of(table, methods)
    wide = [
        table.pivot(index="environment", columns="algorithm", values=name)[methods].to_numpy(float) for name in columns
    ]
    for formula in DEGREES_OF_FREEDOM:
        yield formula, methods, welch_distances(*wide, formula)
