"""Simulate trials in separately stored blocks, and collect them in a run table, which may be larger than memory.

Runs other than trials are simulated cell by cell: repeated runs with equal hyperparameters, for questions about tuning,
and random policies, for policy percentiles.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as dataset
import pyarrow.parquet as pq

from surefoot.registry import function_named
from surefoot.runs.result_tables import write_parts
from surefoot.simulation.simulation_registry import HYPERPARAMETERS
from surefoot.statistics.arrays import Floats
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.job import versions
from surefoot.workflow.log import progress_reporter
from surefoot.workflow.measured_seconds import seconds_of_trial
from surefoot.workflow.runner import Task


def simulate(task: Task) -> None:
    """Write the runs of the job's cells: algorithm, environment, run, score.

    The last block of a cell ends with its last trial, so increasing the number of trials recomputes only that block.
    """
    cells = list(task.settings["cells"].values())
    blocks = []
    for number, cell in enumerate(cells):
        end = cell["first"] + cell["trials"]
        for first in range(cell["first"], end, cell["block"]):
            blocks.append((number, cell | {"block": min(cell["block"], end - first)}, first))
    work = []
    for _, cell, first in blocks:
        is_missing = task.missing("simulate.block", _decisive(task.settings["seed"], cell, first), {})
        work.append(is_missing * cell["block"] * seconds_of_trial(cell["algorithm"], cell["environment"]))
    total = sum(cell["trials"] for cell in cells)
    title = "simulate " + ", ".join(sorted({cell["algorithm"] for cell in cells}))
    report = progress_reporter(title, total, "trials", sum(work))
    scores: list[list[Floats]] = [[] for _ in cells]
    done = 0
    done_work = 0.0
    for (number, cell, first), block_work in zip(blocks, work, strict=True):
        size = cell["block"]

        def progress(
            more: int, before: int = done, work_before: float = done_work, each: float = block_work / size
        ) -> None:
            report(before + more, work_before + more * each)

        scores[number].append(_block(task, cell, first, progress))
        done = done + size
        done_work = done_work + block_work
        report(done, done_work)
    columns: dict[str, Any] = {
        name: pa.concat_arrays([pa.repeat(cell[name], cell["trials"]) for cell in cells])
        for name in ("algorithm", "environment")
    }
    columns["run"] = np.concatenate([cell["first"] + np.arange(cell["trials"]) for cell in cells])
    columns["score"] = np.concatenate([block for of_cell in scores for block in of_cell])
    pq.write_table(pa.table(columns), task.outputs["runs"])


def _decisive(seed: int, cell: dict[str, Any], first: int) -> dict[str, Any]:
    """Return everything that determines the scores of a block."""
    return {key: value for key, value in cell.items() if key not in ("first", "trials")} | {
        "seed": seed,
        "first": first,
        "code": {module: fingerprint(module) for module in cell["modules"]},
        "versions": versions("simulate"),
    }


def _block(task: Task, cell: dict[str, Any], first: int, progress: Callable[[int], None]) -> Floats:
    """Return the scores of a block, from the store or simulated."""
    seed = task.settings["seed"]
    size = cell["block"]

    def compute(path: Path) -> None:
        from surefoot.simulation.trial_protocol import simulate_cell

        modules = tuple(cell["modules"])
        np.save(path, simulate_cell(cell, modules, seed, first, size, task.threads, progress))

    path = task.outputs["runs"].with_name(f"{cell['algorithm']}.{cell['environment']}.{first}.npy")
    task.unit("simulate.block", _decisive(seed, cell, first), {}, compute, path)
    scores: Floats = np.load(path)
    return scores


def collect(task: Task) -> None:
    """Write the first runs of each cell, as many as the study includes: algorithm, environment, run, score, cell."""
    write_parts(_parts(task.settings["rows"], list(task.inputs.values())), task.outputs["runs"])


def _parts(rows: Sequence[tuple[str, str, str, int]], paths: Sequence[Path]) -> Iterator[pd.DataFrame]:
    simulated = dataset.dataset(list(map(str, paths)))
    for algorithm, environment, cell, trials in rows:
        of_cell = (dataset.field("algorithm") == cell) & (dataset.field("environment") == environment)
        runs = simulated.to_table(columns=["run", "score"], filter=of_cell).sort_by("run").slice(0, trials)
        names = {"algorithm": algorithm, "environment": environment}
        yield pd.DataFrame(names | dict(runs.to_pandas().items()) | {"cell": cell})


def simulate_repeated_runs(task: Task) -> None:
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
