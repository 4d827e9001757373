"""Simulate trials in separately stored blocks, and collect them in a run table, which may be larger than memory."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as dataset
import pyarrow.parquet as pq

from surefoot.runs.result_tables import write_parts
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
        from surefoot.simulation.protocol import simulate_cell

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
