"""Simulated trials of algorithms in environments, in blocks that the store keeps apart."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import versions
from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.statistics.arrays import Floats


def simulate(task: Task) -> None:
    """Write the runs of the job's cells: algorithm, environment, run, score.

    Whole blocks are computed, and the last trials of the last one left out where fewer are asked for: so raising the
    number of trials never makes a block anew.
    """
    from surefoot.measured_seconds import seconds_of_trial

    cells = task.settings["cells"].values()
    sizes = [-(-cell["trials"] // cell["block"]) * cell["block"] for cell in cells]
    costs = [seconds_of_trial(cell["algorithm"], cell["environment"]) for cell in cells]
    title = "simulate " + ", ".join(sorted({cell["algorithm"] for cell in cells}))
    missing = [[task.missing(*piece) for piece in _pieces_of(task.settings["seed"], cell)] for cell in cells]
    work = sum(cell["block"] * cost * sum(these) for cell, cost, these in zip(cells, costs, missing, strict=True))
    report = progress_reporter(title, sum(sizes), "trials", work)
    columns: dict[str, list[Any]] = {"algorithm": [], "environment": [], "run": [], "score": []}
    done, done_work = 0, 0.0
    for cell, cost, these in zip(cells, costs, missing, strict=True):
        wanted, size = cell["trials"], cell["block"]
        last = cell["first"] + wanted
        blocks = []
        for first, is_missing in zip(range(cell["first"], last, size), these, strict=True):

            def progress(
                more: int, before: int = done, work_before: float = done_work, cost: float = cost * is_missing
            ) -> None:
                report(before + more, work_before + more * cost)

            blocks.append(_block(task, cell, first, progress, cost))
            done, done_work = done + size, done_work + size * cost * is_missing
        columns["algorithm"].append(pa.repeat(cell["algorithm"], wanted))
        columns["environment"].append(pa.repeat(cell["environment"], wanted))
        columns["run"].append(pa.array(np.arange(cell["first"], last)))
        columns["score"].append(pa.array(np.concatenate(blocks)[:wanted]))
    runs = pa.table({name: pa.concat_arrays(parts) for name, parts in columns.items()})
    pq.write_table(runs, task.outputs["runs"])


def pieces(
    settings: Mapping[str, Any], hashes: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(kind, settings, hashes) of all that the job keeps apart in the store."""
    for cell in settings["cells"].values():
        yield from _pieces_of(settings["seed"], cell)


def _pieces_of(seed: int, cell: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for first in range(cell["first"], cell["first"] + cell["trials"], cell["block"]):
        yield "simulate.block", _decisive(seed, cell, first), {}


def _decisive(seed: int, cell: dict[str, Any], first: int) -> dict[str, Any]:
    """All that decides the scores of a block."""
    return {key: value for key, value in cell.items() if key not in ("first", "trials")} | {
        "seed": seed,
        "first": first,
        "code": {module: fingerprint(module) for module in cell["modules"]},
        "versions": versions("simulate"),
    }


def _block(task: Task, cell: dict[str, Any], first: int, progress: Callable[[int], None], seconds: float) -> Floats:
    """Scores of a block, from the store or simulated; `seconds` is about what a trial takes."""
    seed, size = task.settings["seed"], cell["block"]

    def compute(path: Path) -> None:
        from surefoot.simulation.cells import simulate_cell

        modules = tuple(cell["modules"])
        np.save(path, simulate_cell(cell, modules, seed, first, size, task.threads, progress, seconds))

    path = task.outputs["runs"].with_name(f"{cell['algorithm']}.{cell['environment']}.{first}.npy")
    task.unit("simulate.block", _decisive(seed, cell, first), {}, compute, path)
    scores: Floats = np.load(path)
    return scores
