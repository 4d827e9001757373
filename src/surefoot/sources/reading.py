"""The work of sources that are read from files."""

from importlib import import_module

from surefoot.build.runner import Task
from surefoot.result_tables import write_table


def collect(task: Task) -> None:
    """Write the run table that the source's module `read` makes of its files, each algorithm being a cell of its "
    "own."""
    settings = dict(task.settings)
    module = import_module(settings.pop("read"))
    settings |= {key: str(path) for key, path in task.inputs.items()}
    runs = module.read(module.Settings.model_validate(settings), task.inputs)
    write_table(runs.assign(cell=runs["algorithm"]), task.outputs["runs"])
