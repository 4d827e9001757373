"""The scores of the two-player game: point values, and how much each environment and opponent weighs in them."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.aggregation import aggregate


def answer(task: Task) -> None:
    """Write the aggregate of every algorithm and the weight of every environment and opponent."""
    runs, normalized = read_table(task.inputs["runs"]), read_table(task.inputs["normalized"])
    values, weights = aggregate(runs, normalized, task.settings["method"])
    write_table(values, task.outputs["values"])
    write_table(weights, task.outputs["weights"])
