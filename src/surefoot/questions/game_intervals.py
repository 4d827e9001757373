"""Intervals of the scores of the game by one method."""

from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.estimation import estimate


def answer(task: Task) -> None:
    """Write the intervals of the method for all that it applies to; of dkw, the distributions with their bands."""
    runs, settings = read_table(task.inputs["runs"]), task.settings
    limits = 2 * runs["algorithm"].nunique()
    total, noun = (settings["replicates"], "replicates") if settings["method"] == "bootstrap" else (limits, "limits")
    report = progress_reporter(f"estimate {settings['method']}", total, noun)
    intervals = estimate(
        runs,
        settings["method"],
        confidence=settings["confidence"],
        seed=settings["seed"],
        replicates=settings.get("replicates"),
        variant=settings["variant"],
        threads=task.threads,
        progress=report,
        bounds=settings.get("bounds"),
    )
    write_table(intervals, task.outputs["intervals"])
