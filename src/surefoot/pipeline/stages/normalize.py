"""normalize: the runs on a common scale."""

import pandas as pd

from surefoot.pipeline.job import Task
from surefoot.statistics.normalization import normalize


def run(task: Task) -> None:
    """Write the normalized table of the study's method."""
    runs = pd.read_parquet(task.inputs["runs"])
    normalize(runs, task.settings["method"]).to_parquet(task.outputs["normalized"], index=False)
