"""normalize: the runs on a common scale."""

import pandas as pd

from surefoot.pipeline.job import Task


def run(task: Task) -> None:
    """Write the normalized table of the study's method, or all sets of scores that are made of the runs."""
    if "scores" in task.settings:
        from surefoot.pipeline.reading import read_table
        from surefoot.pipeline.score_sets import score_sets

        tables = {name: read_table(path) for name, path in task.inputs.items()}
        score_sets(tables, task.settings["scores"]).to_parquet(task.outputs["normalized"], index=False)
        return
    from surefoot.statistics.normalization import normalize

    runs = pd.read_parquet(task.inputs["runs"])
    normalize(runs, task.settings["method"]).to_parquet(task.outputs["normalized"], index=False)
