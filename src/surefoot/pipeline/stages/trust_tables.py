"""The part of the stage cover that makes one subject's table of failure rates, its cases kept apart in the store."""

from importlib import import_module
from pathlib import Path

import pandas as pd

from surefoot.pipeline.fingerprint import fingerprint
from surefoot.pipeline.job import Task
from surefoot.pipeline.jobs import versions
from surefoot.pipeline.log import progress_reporter
from surefoot.pipeline.reading import read_table

DIGITS = "%.6g"


def write_failure_rates(task: Task) -> None:
    """Count the failures of every case of the job's subject, and write them with the rates they amount to."""
    from surefoot.statistics.failure_rates import with_failure_rates

    settings = task.settings
    module, _, function = settings["work"].partition(":")
    room = import_module(module)
    cells, cover = room.cells(), getattr(room, function)
    sizes = {name: settings[name] for name in ("datasets", "replicates", "seed")}

    def decisive(cell: dict) -> dict:
        code = {"code": {name: fingerprint(name) for name in (module, __name__)}, "versions": versions("cover")}
        return {"work": settings["work"], "cell": cell} | sizes | code

    missing = [task.missing("trust.cell", decisive(cell), {}) for cell in cells]
    report = progress_reporter(module.rpartition(".")[2], len(cells), "cases", sum(missing))
    tables, done = [], 0
    for number, cell in enumerate(cells):

        def compute(path: Path, cell=cell) -> None:
            cover(cell, **sizes).to_csv(path, index=False)

        path = task.outputs["failures"].with_name(f"{number}.csv")
        task.unit("trust.cell", decisive(cell), {}, compute, path)
        tables.append(read_table(path))
        done += missing[number]
        report(number + 1, done)
    counted = with_failure_rates(pd.concat(tables, ignore_index=True))
    counted.to_csv(task.outputs["failures"], index=False, float_format=DIGITS)
