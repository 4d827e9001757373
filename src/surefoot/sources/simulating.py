"""Simulated trials of algorithms in environments, in blocks that the store keeps apart, and their run table, which may
be larger than the memory."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import versions
from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.result_tables import write_parts
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


Pieces = Mapping[tuple[str, str], Sequence[tuple[int, Path]]]
"""For each cell that ran, an algorithm and an environment, the files that hold trials of it, each behind the number of
the first one there."""


def collect(task: Task) -> None:
    """Write the first runs of each cell, as often as the study shows it: algorithm, environment, run, score, cell."""
    write_parts(_parts(task.settings["rows"], _pieces(task.inputs.values())), task.outputs["runs"])


def _pieces(paths: Iterable[Path]) -> Pieces:
    found: dict[tuple[str, str], list[tuple[int, Path]]] = {}
    for path in paths:
        cells = _simulated(path).group_by(["algorithm", "environment"]).aggregate([("run", "min")])
        for cell in cells.to_pylist():
            found.setdefault((cell["algorithm"], cell["environment"]), []).append((cell["run_min"], path))
    return {cell: sorted(files) for cell, files in found.items()}


def _parts(rows: Sequence[tuple[str, str, str, int]], pieces: Pieces) -> Iterator[pd.DataFrame]:
    for algorithm, environment, cell, trials in rows:
        wanted = trials
        for _, path in pieces[cell, environment]:
            simulated = _simulated(path)
            here = pc.and_(pc.equal(simulated["algorithm"], cell), pc.equal(simulated["environment"], environment))
            runs = simulated.filter(here).select(["run", "score"]).sort_by("run").slice(0, wanted).to_pandas()
            runs.insert(0, "algorithm", algorithm)
            runs.insert(1, "environment", environment)
            yield runs.assign(cell=cell)
            wanted -= len(runs)
            if wanted == 0:
                break


@functools.lru_cache(maxsize=1)  # one after another, cells are asked for of the same file
def _simulated(path: Path) -> pa.Table:
    return pq.read_table(path, read_dictionary=["algorithm", "environment"])
