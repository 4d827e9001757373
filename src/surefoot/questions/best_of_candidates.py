"""What reporting the best of several candidates does to a score."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.tuning import best_of_candidates


def answer(task: Task) -> None:
    """Write the expected score for each number of candidates."""
    runs = read_table(task.inputs["runs"])
    write_table(best_of_candidates(runs, task.settings["candidates"]), task.outputs["values"])
