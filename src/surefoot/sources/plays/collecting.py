"""The tables of a study of Bayesian agents: all their plays, and the runs of each agent's best parameters."""

import pandas as pd

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.comparison.plays import best_runs


def collect_plays(task: Task) -> None:
    """Write all plays, agent by agent."""
    plays = [read_table(task.inputs[part]) for part in task.settings["parts"]]
    write_table(pd.concat(plays, ignore_index=True), task.outputs["runs"])


def collect_best(task: Task) -> None:
    """Write the run table of the best parameters of each agent."""
    write_table(best_runs(read_table(task.inputs["plays"]), **task.settings), task.outputs["runs"])
