"""How often intervals of the mean of a task contain the truth, by number of runs."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, population
from surefoot.questions.task_coverages.settings import Settings
from surefoot.statistics.coverage.metric_coverage import (
    DESIGNS,
    drawn_runs,
)
from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.streams import stream_key


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Coverage of percentile intervals of the mean of each task.

    Samples are drawn without replacement, as in the paper. Resamples draw the same runs of all tasks, which changes
    nothing for a single task.

    Returns
    -------
    columns environment, size, value, value_error, datasets
    """
    scores, tasks = population(sets, settings.algorithms)
    truth, rows = scores.mean(axis=0), []
    tails = ((1 - shared.confidence) / 2, (1 + shared.confidence) / 2)
    for size in settings.sizes:
        inside = np.zeros(len(tasks))
        count = size * shared.replicates
        drawn = np.empty(count + SPARE, np.uint32)
        for dataset in range(settings.datasets):
            sample = scores[drawn_runs(len(scores), size, dataset, DESIGNS[1], shared.seed)]
            draw_indices(stream_key(shared.seed, "task_coverage", size), dataset, size, count, drawn)
            runs = drawn[:count].reshape(shared.replicates, size)
            weights = np.zeros((shared.replicates, size))
            np.add.at(weights, (np.arange(len(runs))[:, None], runs), 1.0 / size)
            low, high = np.quantile(weights @ sample, tails, axis=0)
            inside += (low <= truth) & (truth <= high)
        value = inside / settings.datasets
        error = np.sqrt(value * (1 - value) / settings.datasets)
        part = pd.DataFrame({"environment": tasks, "size": size, "value": value, "value_error": error})
        rows.append(part.assign(datasets=settings.datasets))
    return pd.concat(rows, ignore_index=True)
