"""How often the intervals of one subject fail on simulated data sets; its cases are kept apart in the store."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import versions
from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.coverage.failure_rates import Study, with_failure_rates


def answer(task: Task) -> None:
    """Count the failures of every case of the job's subject, and write them with the rates they amount to."""
    settings = task.settings
    module, _, name = settings["subject"].partition(":")
    study: Study = getattr(import_module(module), name)
    cells = study.cells
    sizes = {name: settings[name] for name in ("datasets", "replicates", "seed")}

    def decisive(cell: dict[str, Any]) -> dict[str, Any]:
        code = {"code": {name: fingerprint(name) for name in (module, __name__)}, "versions": versions("cover")}
        return {"subject": settings["subject"], "cell": cell} | sizes | code

    missing = [task.missing("trust.cell", decisive(cell), {}) for cell in cells]
    report = progress_reporter(name, len(cells), "cases", sum(missing))
    tables, done = [], 0
    for number, cell in enumerate(cells):

        def compute(path: Path, cell: dict[str, Any] = cell) -> None:
            study.cover(cell, *sizes.values()).to_csv(path, index=False)

        path = task.outputs["failures"].with_name(f"{number}.csv")
        task.unit("trust.cell", decisive(cell), {}, compute, path)
        tables.append(read_table(path))
        done += missing[number]
        report(number + 1, done)
    counted = with_failure_rates(pd.concat(tables, ignore_index=True))
    write_table(counted, task.outputs["failures"], digits=6)
