"""A paper's comparison with its published numbers, as a job."""

from surefoot.build.runner import Task
from surefoot.build.user_modules import named_function
from surefoot.result_tables import read_tables, write_table


def compare(task: Task) -> None:
    """Write the table that the function of the settings makes: item, published, ours, standard_error, verdict, ..."""
    function = named_function(task.settings["function"])
    write_table(function(read_tables(task.inputs), task.settings), task.outputs["comparison"])
