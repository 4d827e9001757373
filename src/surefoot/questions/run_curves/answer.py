"""The learning curves of single runs in each environment, thinned so that a page stays light, and their mean."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from surefoot.curves.alignment import evaluated_steps, thinned, value_at
from surefoot.curves.lengths import RunCurve, groups_of_runs
from surefoot.questions.answering import Shared
from surefoot.questions.run_curves.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Floats

_WHERE = "run_curves"
_FEWEST, _MOST = 10, 100
"""Points of a curve."""


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The curve of every run at its own steps, and the mean of each algorithm's runs in an environment.

    Between two evaluations, a run has the score of the earlier one. The mean begins where all runs of the algorithm
    have a score and ends where the first of them ends; without such steps there is none.

    Returns
    -------
    columns algorithm, environment, curve ("run", or "mean" of all runs), run_name (as it was given; missing for the
    mean), step, score, runs (number of runs of the algorithm in the environment)
    """
    cells: dict[tuple[object, object], list[RunCurve]] = {}
    for group in groups_of_runs(_WHERE, tables["runs"], "carry_forward", 0.0, by_environment=False):
        for curve in group.curves:
            cells.setdefault((curve.names[0], curve.names[1]), []).append(curve)
    points, drawn = _sizes(settings.points, [len(curves) for curves in cells.values()])
    parts = [part for curves in cells.values() for part in _parts(curves, points, drawn)]
    found = pd.concat(parts, ignore_index=True)
    return found.assign(run_name=found["run_name"].convert_dtypes())  # whole numbers beside missing ones


def _sizes(most: int, runs: Sequence[int]) -> tuple[int, int]:
    """(points of a curve, most runs that are drawn of an algorithm in an environment)."""
    each = most // (sum(runs) + len(runs))
    if each >= _FEWEST:
        return min(each, _MOST), max(runs)
    return _FEWEST, max(most // (_FEWEST * len(runs)) - 1, 1)


def _parts(curves: Sequence[RunCurve], points: int, drawn: int) -> Iterator[pd.DataFrame]:
    for curve in curves[:drawn]:
        kept = thinned(curve.steps.size, points)
        yield _rows(curve, "run", curve.names[2], curve.steps[kept], curve.scores[kept], len(curves))
    steps = _steps_of_mean(curves, points)
    if steps.size:
        mean = np.mean([value_at(curve, steps, "carry_forward") for curve in curves], axis=0)
        yield _rows(curves[0], "mean", None, steps, mean, len(curves))


def _steps_of_mean(curves: Sequence[RunCurve], points: int) -> Floats:
    """At most so many of the steps at which runs were evaluated, where all of them have a score."""
    first, last = max(curve.steps[0] for curve in curves), min(curve.steps[-1] for curve in curves)
    if first > last:
        return np.empty(0)
    steps = evaluated_steps(curves, first, last)
    return steps[thinned(steps.size, points)]


def _rows(curve: RunCurve, kind: str, run: object, steps: Floats, scores: Floats, runs: int) -> pd.DataFrame:
    named = {"algorithm": curve.names[0], "environment": curve.names[1], "curve": kind}
    names = np.full(steps.size, run, object)
    return pd.DataFrame({**named, "run_name": names, "step": steps, "score": scores, "runs": runs})
