"""aggregate: point values and the weights behind them."""

import pandas as pd

from surefoot.pipeline.job import Task
from surefoot.statistics.aggregation import aggregate


def run(task: Task) -> None:
    """Write the aggregates of every algorithm and the weight of every environment and opponent."""
    runs = pd.read_parquet(task.inputs["runs"])
    normalized = pd.read_parquet(task.inputs["normalized"])
    values, weights = aggregate(runs, normalized, task.settings["method"])
    values.to_csv(task.outputs["values"], index=False)
    weights.to_csv(task.outputs["weights"], index=False)
