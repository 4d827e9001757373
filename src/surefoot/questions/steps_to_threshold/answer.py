"""When runs reach a score: the share of them that do, and the median of the steps, with censored runs counted."""

import numpy as np
import pandas as pd

from surefoot.curves.lengths import groups_of_runs
from surefoot.curves.reaching import first_reached, share_reached
from surefoot.questions.answering import Shared
from surefoot.questions.steps_to_threshold.settings import Settings
from surefoot.result_tables import Tables

_WHERE = "steps_to_threshold"


def answer(tables: Tables, settings: Settings, shared: Shared) -> dict[str, pd.DataFrame]:
    """The first evaluation of each run with a score of at least the threshold; a run that ends without one is censored.

    The share of runs that have reached it is the Kaplan-Meier estimate; the median is the step by which half of them
    have, and missing if half never did. Both count the runs that never do. Their limits are exact however runs ended,
    for each algorithm in each environment separately. Those of the median are 0 and missing where the runs do not
    determine them, as with up to five runs at 95 %. A run reaches the threshold between two evaluations, and the step
    is that of the later one. `tables()["curves"]` has the share by step.

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
        share = share_reached(steps, reached, ends[key], shared.confidence)
        at_end = {name: getattr(share, name)[-1] for name in ("share", "low", "high")}
        named = {"algorithm": key[0], "environment": key[1]}
        numbers = {"threshold": _threshold(settings, key[1]), "runs": len(found), "reached": int(reached.sum())}
        median = dict(zip(("median", "median_low", "median_high"), share.median(), strict=True))
        rows.append({**named, **numbers, **at_end, **median, "last_step": ends[key]})
        parts.append(pd.DataFrame({**named, **share._asdict()}).rename(columns={"steps": "step"}))
    return {"": pd.DataFrame(rows), "curves": pd.concat(parts, ignore_index=True)}


def _threshold(settings: Settings, environment: str) -> float:
    return settings.threshold[environment] if isinstance(settings.threshold, dict) else settings.threshold
