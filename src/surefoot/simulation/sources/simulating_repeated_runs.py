"""Simulate runs other than trials: repeated runs with equal hyperparameters, and random policies.

Repeated runs are needed for questions about tuning, random policies for policy percentiles.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.registry import function_named
from surefoot.simulation.sources.repeated_runs import HYPERPARAMETERS
from surefoot.statistics.arrays import Floats
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.job import versions
from surefoot.workflow.log import progress_reporter
from surefoot.workflow.runner import Task


def simulate(task: Task) -> None:
    """Write the simulated runs: environment, run (for random policies, number of the policy) and score.

    Runs of the same hyperparameters also have columns algorithm and candidate; runs of a grid have the
    hyperparameters.
    """
    cells = task.settings["cells"]
    report = progress_reporter(task.settings["protocol"].rpartition(":")[2].replace("_", " "), len(cells), "cells")
    tables = []
    for number, cell in enumerate(cells.values(), 1):
        tables.append(_table(cell, _scores(task, cell, number), task.settings["numbers"]))
        report(number)
    pd.concat(tables, ignore_index=True).to_parquet(task.outputs["runs"], index=False)


def _scores(task: Task, cell: Mapping[str, Any], number: int) -> Floats:
    """Return the scores of a cell, from the store or simulated: float64[candidates, runs], or float64[policies]."""
    settings = task.settings
    module, _, name = settings["protocol"].partition(":")
    decisive = {key: settings[key] for key in ("seed", "numbers")} | {"cell": cell, "versions": versions("simulate")}
    decisive["code"] = {used: fingerprint(used) for used in (module, *cell["modules"])}

    def compute(path: Path) -> None:
        protocol = function_named(settings["protocol"])
        np.save(path, protocol(cell["settings"], tuple(cell["modules"]), settings["seed"], **settings["numbers"]))

    path = task.outputs["runs"].with_name(f"cell_{number}.npy")
    task.unit(f"simulate.{name}", decisive, {}, compute, path)
    scores: Floats = np.load(path)
    return scores


def _table(cell: Mapping[str, Any], scores: Floats, simulated: Mapping[str, Any]) -> pd.DataFrame:
    names = {key: cell["settings"][key] for key in ("algorithm", "environment") if key in cell["settings"]}
    numbers = dict(zip(("run", "candidate"), map(np.ravel, reversed(np.indices(scores.shape))), strict=False))
    if "grid" in simulated:
        values = np.array(simulated["grid"])[numbers.pop("candidate")].T
        numbers = {"run": numbers["run"] + simulated["first_run"]} | dict(zip(HYPERPARAMETERS, values, strict=True))
    return pd.DataFrame(names | numbers | {"score": scores.ravel()})
