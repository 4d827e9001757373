"""When runs reach a score: the share of them that do, and the median of the steps, with censored runs counted."""

import numpy as np
import pandas as pd

from surefoot.curves.lengths import groups_of_runs
from surefoot.curves.reaching import Share, binomial_limits, first_reached, share_reached
from surefoot.questions.answering import Shared
from surefoot.questions.steps_to_threshold.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Floats

_WHERE = "steps_to_threshold"


def answer(tables: Tables, settings: Settings, shared: Shared) -> dict[str, pd.DataFrame]:
    """The first evaluation of each run with a score of at least the threshold; a run that ends without one is censored.

    The share of runs that have reached it is the Kaplan-Meier estimate, with exact limits as long as all runs are
    followed; the median is the step by which half of them have. Both count the runs that never do. The median is
    missing if half never did, and so is its upper limit if the runs do not determine it. Limits are for each algorithm
    in each environment separately. A run reaches the threshold between two evaluations, and the step is that of the
    later one. `tables()["curves"]` has the share by step.

    Returns
    -------
    columns algorithm, environment, threshold, runs, reached (number of runs that did), share (at the last step), low,
    high, median (steps), median_low, median_high, last_step (of the longest run)
    """
    (group,) = groups_of_runs(_WHERE, tables["runs"], "carry_forward", 0.0, by_environment=False)
    cells: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    ends: dict[tuple[str, str], float] = {}
    for curve in group.curves:
        key = str(curve.names[0]), str(curve.names[1])
        cells.setdefault(key, []).append(first_reached(curve, _threshold(settings, key[1])))
        ends[key] = max(ends.get(key, 0.0), float(curve.steps[-1]))
    rows, parts = [], []
    for key, found in cells.items():
        steps, reached = (np.array(column) for column in zip(*found, strict=True))
        share = share_reached(steps, reached, shared.confidence)
        curve_of_share = _from_the_start(share, len(found), ends[key], shared.confidence)
        at_end = {name: values[-1] for name, values in curve_of_share.items() if name != "step"}
        named = {"algorithm": key[0], "environment": key[1]}
        numbers = {"threshold": _threshold(settings, key[1]), "runs": len(found), "reached": int(reached.sum())}
        median = dict(zip(("median", "median_low", "median_high"), share.median(), strict=True))
        rows.append({**named, **numbers, **at_end, **median, "last_step": ends[key]})
        parts.append(pd.DataFrame({**named, **curve_of_share}))
    return {"": pd.DataFrame(rows), "curves": pd.concat(parts, ignore_index=True)}


def _threshold(settings: Settings, environment: str) -> float:
    return settings.threshold[environment] if isinstance(settings.threshold, dict) else settings.threshold


def _from_the_start(share: Share, runs: int, end: float, confidence: float) -> dict[str, Floats]:
    """The share from step 0, when no run has reached the score, to the end of the longest run."""
    low, high = binomial_limits(np.zeros(1), runs, confidence)
    columns = {"share": np.zeros(1), "low": low, "high": high}
    found = {name: np.concatenate([first, getattr(share, name)]) for name, first in columns.items()}
    steps = np.concatenate([np.zeros(1), share.steps])
    if steps[-1] < end:
        steps = np.append(steps, end)
        found = {name: np.append(values, values[-1]) for name, values in found.items()}
    return {"step": steps, **found}
