"""A paper's comparison with its published numbers, as a job."""

from importlib import import_module

from surefoot.build.runner import Task
from surefoot.result_tables import read_tables, write_table


def compare(task: Task) -> None:
    """Write the table that the function of the settings makes: item, published, ours, standard_error, verdict, ..."""
    module, _, name = task.settings["function"].partition(":")
    function = getattr(import_module(module), name)
    write_table(function(read_tables(task.inputs), task.settings), task.outputs["comparison"])
