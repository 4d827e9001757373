"""Distances from the best method by Welch's test, of published means (Recht 2018)."""

from collections.abc import Iterator, Sequence

from surefoot.questions.answering import Sets
from surefoot.statistics.arrays import Floats
from surefoot.statistics.profiles.dolan_more import DEGREES_OF_FREEDOM, welch_distances
from surefoot.statistics.runs.samples_of_tasks import algorithms_of


def welch_tables(sets: Sets, methods: Sequence[str]) -> Iterator[tuple[str, list[str], Floats]]:
    """(formula, methods, distances float64[tasks, methods]) for either formula of the degrees of freedom."""
    (table,) = sets.values()
    methods = algorithms_of(table, methods)
    means, deviations, runs = (
        table.pivot(index="environment", columns="algorithm", values=name)[methods].to_numpy(float)
        for name in ("score", "deviation", "runs")
    )
    for formula in DEGREES_OF_FREEDOM:
        yield formula, methods, welch_distances(means, deviations, runs, formula)
