"""Differences between learning curves, with bands that hold all of them at once."""

from itertools import combinations

import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, Shared
from surefoot.questions.curve_differences.settings import Settings
from surefoot.questions.sample_efficiency.answer import answer as curves_of_metrics
from surefoot.questions.sample_efficiency.settings import Settings as Curves
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.profiles.curve_bands import simultaneous_curve_band


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Differences x - y of a metric at each step, between all pairs of algorithms.

    Bands are of whole differences, of all steps and of all pairs at once (each pair at a level that is corrected for
    their number by Bonferroni's inequality). Runs are resampled whole, those of two algorithms independently; degrees
    of freedom are those of the algorithm that has fewer, since the error may be its alone. See `simultaneous_curve_band`.

    Returns
    -------
    columns x, y, frames (or step, where the runs call it so), metric, value (of the difference), low, high, runs (the
        fewest of a task of either), tasks

    Raises
    ------
    ValueError : fewer than two algorithms
    """
    asked = Curves(metrics=settings.metrics, algorithms=settings.algorithms, scores=settings.scores)
    found = curves_of_metrics(sets, asked, shared)
    pairs = list(combinations(found.values, 2))
    if not pairs:
        raise HintedError(
            "algorithms", f"a difference is of two, and {next(iter(found.values))} is one", "name another"
        )
    (written,) = settings.metrics
    level = 1.0 - (1.0 - shared.confidence) / len(pairs)
    parts = []
    for x, y in pairs:
        value = (found.values[x] - found.values[y])[:, 0]
        drawn = (found.replicates[x] - found.replicates[y])[:, :, 0]
        fewer = min(found.sizes[x], found.sizes[y], key=lambda sizes: sum(size - 1 for size in sizes))
        low, high = simultaneous_curve_band(drawn, value, fewer, level, metric(written).name)
        numbers = {found.step_column: found.steps, "metric": written, "value": value, "low": low, "high": high}
        runs = min(*found.sizes[x], *found.sizes[y])
        parts.append(pd.DataFrame({"x": x, "y": y, **numbers, "runs": runs, "tasks": len(fewer)}))
    return pd.concat(parts, ignore_index=True)
