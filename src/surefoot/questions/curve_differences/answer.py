"""Differences between learning curves, with bands that hold all of them at once."""

from itertools import combinations

import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, Shared
from surefoot.questions.curve_differences.settings import Settings
from surefoot.questions.sample_efficiency.answer import answer as curves_of_metrics
from surefoot.questions.sample_efficiency.settings import Settings as Curves
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.profiles.curve_bands import curve_remark, drawn_band, simultaneous_curve_bands
from surefoot.statistics.runs.sharing import least_known


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Differences x - y of a metric at each step, between all pairs of algorithms, in the order of their names.

    The bands contain whole differences, at all steps and for all pairs at once. Runs are resampled whole, independently
    for the two algorithms, or whole runs where tasks share them (see `sample_efficiency`). The degrees of freedom are
    those of the algorithm with fewer, since all of the error may come from it.

    Returns
    -------
    columns x, y, frames (or step, if that is the column's name in the runs), metric, value (of the difference), low,
    high (empty where the band would be wider than all differences of scores), runs (the fewest of any task of either),
    tasks, shared_runs (as in the answer of aggregates, of both), remark (a reservation about the band)

    Raises
    ------
    ValueError : fewer than two algorithms; see `sample_efficiency`
    """
    asked = Curves(
        metrics=settings.metrics,
        algorithms=settings.algorithms,
        scores=settings.scores,
        shared_runs=settings.shared_runs,
    )
    found = curves_of_metrics(sets, asked, shared)
    pairs = list(combinations(sorted(found.values), 2))
    if not pairs:
        raise HintedError(
            "algorithms", f"a difference is of two, and {next(iter(found.values))} is one", "name another"
        )
    (written,) = settings.metrics
    kind, scores = metric(written).name, found.scores()
    drawn = {name: found.drawn(name) for name in found.values}
    values = [(found.values[x] - found.values[y])[:, 0] for x, y in pairs]
    replicates = [(drawn[x][0] - drawn[y][0])[:, :, 0] for x, y in pairs]
    fewer = [min(drawn[x][1], drawn[y][1], key=lambda sizes: sum(size - 1 for size in sizes)) for x, y in pairs]
    bands = simultaneous_curve_bands(replicates, values, fewer, shared.confidence, kind)
    parts = []
    for (x, y), value, band in zip(pairs, values, bands, strict=True):
        sharing = least_known([found.sharing[x], found.sharing[y]])
        sizes = found.sizes(x) + found.sizes(y)
        low, high = drawn_band(band, scores, differences=True)
        remark = curve_remark(min(sizes), "simultaneous", float((high - low).max()), kind, sharing)
        numbers = {found.step_column: found.steps, "metric": written, "value": value, "low": low, "high": high}
        about = {"runs": min(sizes), "tasks": len(sizes) // 2, "shared_runs": sharing, "remark": remark}
        parts.append(pd.DataFrame({"x": x, "y": y, **numbers, **about}))
    return pd.concat(parts, ignore_index=True)
