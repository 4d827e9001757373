"""Performance percentiles: the payoff of every algorithm against every other, as the scores of the game need them."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.normalization import normalize as payoff_table


def normalize(task: Task) -> None:
    """Write the payoffs in every environment."""
    runs = read_table(task.inputs["runs"])
    write_table(payoff_table(runs, task.settings["method"]), task.outputs["normalized"])
