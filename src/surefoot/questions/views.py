"""The same runs seen through several metrics, with intervals by the bootstrap."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.views import bootstrapped_views


def answer(task: Task) -> None:
    """Write the intervals of each metric."""
    table = bootstrapped_views(read_table(task.inputs["runs"]), **task.settings)
    write_table(table, task.outputs["intervals"])
