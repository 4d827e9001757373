"""What procedures of tuning report."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.tuning import procedure_table


def answer(task: Task) -> None:
    """Write what each procedure reports, of runs of the same hyperparameters."""
    section = task.settings["tuning"]
    numbers = {key: section[key] for key in ("candidates", "tuning_runs", "reported_runs", "repetitions")}
    runs = read_table(task.inputs["same_hyperparameters"])
    write_table(procedure_table(runs, **numbers, seed=task.settings["seed"]), task.outputs["values"])
