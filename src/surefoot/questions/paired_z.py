"""Paired tests of agents that played the same MDPs."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.plays import paired_z


def answer(task: Task) -> None:
    """Write the test of every pair."""
    plays = read_table(task.inputs["runs"])
    write_table(paired_z(plays), task.outputs["bands"])
