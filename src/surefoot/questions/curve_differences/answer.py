"""Differences between learning curves, with bands that hold all of them at once."""

from itertools import combinations

import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, Shared
from surefoot.questions.curve_differences.settings import Settings
from surefoot.questions.sample_efficiency.answer import answer as curves_of_metrics
from surefoot.questions.sample_efficiency.settings import Settings as Curves
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.profiles.curve_bands import simultaneous_curve_bands


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Differences x - y of a metric at each step, between all pairs of algorithms, in the order of their names.

    The bands contain whole differences, at all steps and for all pairs at once. Runs are resampled whole, independently
    for the two algorithms. The degrees of freedom are those of the algorithm with fewer, since all of the error may
    come from it.

    Returns
    -------
    columns x, y, frames (or step, if that is the column's name in the runs), metric, value (of the difference), low,
    high, runs (the fewest of any task of either), tasks

    Raises
    ------
    ValueError : fewer than two algorithms
    """
    asked = Curves(metrics=settings.metrics, algorithms=settings.algorithms, scores=settings.scores)
    found = curves_of_metrics(sets, asked, shared)
    pairs = list(combinations(sorted(found.values), 2))
    if not pairs:
        raise HintedError(
            "algorithms", f"a difference is of two, and {next(iter(found.values))} is one", "name another"
        )
    (written,) = settings.metrics
    values = [(found.values[x] - found.values[y])[:, 0] for x, y in pairs]
    drawn = [(found.replicates[x] - found.replicates[y])[:, :, 0] for x, y in pairs]
    fewer = [min(found.sizes[x], found.sizes[y], key=lambda sizes: sum(size - 1 for size in sizes)) for x, y in pairs]
    bands = simultaneous_curve_bands(drawn, values, fewer, shared.confidence, metric(written).name)
    parts = []
    for (x, y), value, sizes, (low, high) in zip(pairs, values, fewer, bands, strict=True):
        numbers = {found.step_column: found.steps, "metric": written, "value": value, "low": low, "high": high}
        runs = min(*found.sizes[x], *found.sizes[y])
        parts.append(pd.DataFrame({"x": x, "y": y, **numbers, "runs": runs, "tasks": len(sizes)}))
    return pd.concat(parts, ignore_index=True)
