"""The quantiles of the percentiles of single runs."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.run_percentiles import percentile_quantiles


def answer(task: Task) -> None:
    """Write the quantiles, weighted as the game weighs environments and opponents."""
    runs, weights = read_table(task.inputs["runs"]), read_table(task.inputs["weights"])
    write_table(percentile_quantiles(runs, weights), task.outputs["values"])
