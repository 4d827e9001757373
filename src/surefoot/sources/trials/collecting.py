"""The run table of a study of simulated trials."""

import pandas as pd

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table


def collect(task: Task) -> None:
    """Write the first runs of each cell, as often as the study shows it: algorithm, environment, run, score, cell."""
    simulated = pd.concat([read_table(path) for path in task.inputs.values()], ignore_index=True)
    cells = dict(list(simulated.groupby(["algorithm", "environment"], sort=False)))
    parts = []
    for algorithm, environment, cell, trials in task.settings["rows"]:
        part = cells[cell, environment].sort_values("run").head(trials)
        parts.append(part.assign(algorithm=algorithm, cell=cell))
    runs = pd.concat(parts, ignore_index=True)[["algorithm", "environment", "run", "score", "cell"]]
    write_table(runs, task.outputs["runs"])
