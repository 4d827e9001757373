"""How often the intervals of many data sets hold the truth."""

import pandas as pd

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.coverage.score_coverage import pool_scores
from surefoot.statistics.coverage.summary import summarize_coverage


def answer(task: Task) -> None:
    """Write the summary of the intervals of all sizes; the truth is that of the pool."""
    parts = [read_table(path) for name, path in task.inputs.items() if name != "pool"]
    truth = pool_scores(read_table(task.inputs["pool"]))
    summary = summarize_coverage(pd.concat(parts, ignore_index=True), truth)
    write_table(summary, task.outputs["summary"])
