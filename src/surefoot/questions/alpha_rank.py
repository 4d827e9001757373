"""Alpha-rank of the algorithms, along its parameter."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.alpha_rank import alpha_sweep


def answer(task: Task) -> None:
    """Write the rank of every algorithm at each alpha."""
    runs = read_table(task.inputs["runs"])
    write_table(alpha_sweep(runs, task.settings["alphas"]), task.outputs["values"])
