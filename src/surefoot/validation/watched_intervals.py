"""Individual intervals of the IQM in simulated studies, for the interactive chart of intervals that miss.

A study has 1, 5 or 26 tasks with 3, 5 or 10 runs each. The levels of tasks are spread evenly over a range of six
standard deviations of a run. Scores have one of four shapes: normal, log-normal, normal with a fifth of the runs
collapsed to 0, or successes (0 or 1). Tasks are independent, or each run has an effect on all tasks (a Gaussian copula
with a correlation of 0.5). Misses are counted for all data sets, but only the intervals of the first ones are stored.
"""

from inspect import unwrap
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions.aggregates import aggregate_metrics
from surefoot.statistics.arrays import exceeds
from surefoot.statistics.coverage.failure_rates import Outcome, Study, failure_table, tally
from surefoot.statistics.coverage.simulated_scores import Part
from surefoot.streams import stream_key
from surefoot.validation.drawn_kinds import Kind, TaskLaw

_SUBJECT = "watched intervals"
SHOWN = 40
"""Number of data sets whose intervals are stored."""
_NOISE = 0.15
_CORRELATION = 0.5
SHAPES = ("normal", "skewed", "failures", "successes")
_CELLS = [
    {
        "name": f"{shape}, {runs} runs of {tasks}{', shared' if shared else ''}",
        "shape": shape,
        "runs": runs,
        "tasks": tasks,
        "shared": shared,
    }
    for tasks, runs, shape, shared in product((1, 5, 26), (3, 5, 10), SHAPES, (False, True))
    if tasks > 1 or not shared
]


def law(shape: str, level: float) -> TaskLaw:
    """Return the distribution of the scores of a task, from its shape and level."""
    parts = {
        "normal": [Part(1.0, "normal", level, _NOISE)],
        "skewed": [Part(1.0, "lognormal", level, _NOISE, (1.0,))],
        "failures": [Part(0.2, "point", 0.0), Part(0.8, "normal", level, _NOISE)],
        "successes": [Part(1.0 - level, "point", 0.0), Part(level, "point", 1.0)],
    }
    return TaskLaw(tuple(parts[shape]))


def study_kind(cell: dict[str, Any], seed: int) -> Kind:
    """Return the kind of study that a case simulates."""
    tasks = cell["tasks"]
    levels = 0.5 + 6.0 * _NOISE * ((np.arange(tasks) + 0.5) / tasks - 0.5)
    laws = tuple(law(cell["shape"], float(level)) for level in levels)
    sizes = (cell["runs"],) * tasks
    return Kind(_CELLS.index(cell), seed, sizes, laws, _CORRELATION * cell["shared"], cell["name"])


def _cover(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of Student's and of the percentile interval of the IQM.

    Additional columns: shared, truth, and intervals (limits for the first data sets, as "low high; low high").
    """
    kind = study_kind(cell, seed)
    truth = kind.true_values()["iqm"]
    sets = {}
    for number in range(datasets):
        scores = np.stack(kind.samples(seed, _SUBJECT, number), axis=1)
        places = pd.MultiIndex.from_product([range(cell["runs"]), range(cell["tasks"])], names=["run", "environment"])
        sets[f"{number}"] = places.to_frame(index=False).assign(algorithm="a", score=scores.ravel())
    question_seed = int(stream_key(seed, "trust", _SUBJECT, cell["name"])[0] % 2**31)
    settings: dict[str, Any] = {"metrics": ("iqm",), "methods": ("student", "percentile"), "seed": question_seed}
    answer = unwrap(aggregate_metrics)(sets, n_resamples=n_resamples, **settings).table()
    outcomes = []
    for row in answer.itertuples():
        missed = exceeds(row.low, truth, 1.0) or exceeds(truth, row.high, 1.0)
        outcomes.append(Outcome(row.method, "iqm", missed, row.high - row.low, ""))
    rows = tally(outcomes, lambda row: row["method"] == "student")
    for row in rows:
        shown = answer[answer["method"] == row["method"]].head(SHOWN)
        limits = zip(shown["low"], shown["high"], strict=True)
        row["intervals"] = "; ".join(f"{low:.3g} {high:.3g}" for low, high in limits)
    about = {"data": cell["shape"], "algorithms": 1, "shared": cell["shared"], "truth": truth}
    return failure_table(_SUBJECT, cell, datasets, rows, **about)


watched_intervals = Study(_CELLS, _cover)
