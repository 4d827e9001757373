"""Which agents are best within bounds on their offline and online times."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.plays import time_bounds


def answer(task: Task) -> None:
    """Write the best agents for every pair of bounds."""
    plays = read_table(task.inputs["runs"])
    table = time_bounds(plays[~plays["algorithm"].isin(task.settings["left_out"])])
    write_table(table, task.outputs["values"])
