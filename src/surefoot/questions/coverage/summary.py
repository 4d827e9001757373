"""How often the intervals of many data sets hold the truth."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.score_coverage import pool_scores
from surefoot.statistics.coverage.summary import summarize_coverage
from surefoot.statistics.runs.samples import Samples, assemble

_PAIR = ["algorithm", "environment", "cell"]


def answer(task: Task) -> None:
    """Write the summary of the intervals of all sizes; the truth is that of the pool."""
    parts = [read_table(path) for name, path in task.inputs.items() if name != "pool"]
    truth = pool_scores(samples_of_environments(task.inputs["pool"]))
    summary = summarize_coverage(pd.concat(parts, ignore_index=True), truth)
    write_table(summary, task.outputs["summary"])


def samples_of_environments(path: Path) -> Iterator[Samples]:
    """The samples of a run table in Parquet, environment by environment: all of them need not fit into the memory."""
    file = pq.ParquetFile(path, read_dictionary=_PAIR)
    groups: dict[tuple[str, str], list[int]] = {}
    cells: dict[tuple[str, str], str] = {}
    for group in range(file.num_row_groups):
        for algorithm, environment, cell in file.read_row_group(group, _PAIR).to_pandas().drop_duplicates().to_numpy():
            groups.setdefault((algorithm, environment), []).append(group)
            cells[algorithm, environment] = cell
    algorithms = tuple(dict.fromkeys(algorithm for algorithm, _ in groups))
    for environment in dict.fromkeys(environment for _, environment in groups):
        pairs = [(algorithm, environment) for algorithm in algorithms]
        labels = pd.factorize(np.array([cells[pair] for pair in pairs]))[0].astype(np.int64)
        yield assemble(
            algorithms, (environment,), [[_scores(file, pair, groups[pair])] for pair in pairs], labels[:, None]
        )


def _scores(file: pq.ParquetFile, pair: tuple[str, str], groups: Sequence[int]) -> Floats:
    """The scores of an algorithm in an environment, from the groups of rows that have any."""
    parts = []
    for group in groups:
        rows = file.read_row_group(group, ["algorithm", "environment", "score"])
        of_pair = pc.and_(pc.equal(rows["algorithm"], pair[0]), pc.equal(rows["environment"], pair[1]))
        parts.append(rows["score"].filter(of_pair).to_numpy())
    return np.concatenate(parts)
