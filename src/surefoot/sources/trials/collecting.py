"""The run table of a study of simulated trials, which may be larger than the memory."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from surefoot.build.runner import Task
from surefoot.result_tables import write_parts

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
