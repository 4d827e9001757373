"""Each Bayesian agent in each environment: scores and times."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.plays import agent_table


def answer(task: Task) -> None:
    """Write a row for each agent, its parameters and an environment."""
    plays = read_table(task.inputs["runs"])
    write_table(agent_table(plays), task.outputs["values"])
