"""Distributions of samples of several sizes, with their bands."""

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.subsamples import subsample_bands


def answer(task: Task) -> None:
    """Write the bands of one algorithm in one environment."""
    settings = task.settings
    bands = subsample_bands(
        read_table(task.inputs["runs"]),
        **settings["subsamples"],
        confidence=settings["confidence"],
        seed=settings["seed"],
    )
    write_table(bands, task.outputs["bands"])
