"""Simulations over many data sets, stored in blocks.

Coverage questions compute their intervals in blocks, and the target `trust` counts the failures of intervals.
"""

import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.runs.result_tables import read_table, write_table
from surefoot.statistics.coverage.failure_rates import Study, with_failure_rates
from surefoot.statistics.coverage.score_coverage import summarize_coverage
from surefoot.statistics.runs.samples import Samples, samples_from_runs
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.job import versions
from surefoot.workflow.log import progress_reporter
from surefoot.workflow.runner import Task

_PAIR = ["algorithm", "environment", "cell"]


def intervals(task: Task) -> None:
    """Write the intervals for the data sets of a job.

    Whole blocks are computed, so data sets of the last block that were not requested are left out of the result.
    """
    from surefoot.statistics.coverage.score_coverage import CoverageOptions, cover_block, runs_of_block

    settings = task.settings
    path = task.inputs["pool"]
    hashes = {"pool": task.hashes["pool"]}
    size = settings["size"]
    block = settings["block"]
    methods = settings["methods"]
    end = settings["first"] + settings["datasets"]
    firsts = range(settings["first"], end, block)
    decisive = {(first, method): _decisive(settings, method, first) for first in firsts for method in methods}
    missing = Counter(
        first for first, method in decisive if task.missing("cover.block", decisive[first, method], hashes)
    )
    report = progress_reporter(f"cover {size} runs", settings["datasets"], "data sets", missing.total())
    # With the design "cut", the pool may be far larger than the piece that one block needs.
    cut = settings["design"] == "cut" and pa.types.is_integer(pq.read_schema(path).field("run").type)
    whole = None if cut else pd.read_parquet(path)
    shared = {name: settings[name] for name in ("design", "seed", "confidence_level", "n_resamples", "start")}
    options = CoverageOptions(**shared, variants=tuple(settings["variants"]))

    @functools.lru_cache(maxsize=1)  # all methods of a block use the same pool
    def pool(first: int) -> pd.DataFrame:
        if whole is not None:
            return whole
        begin, stop = runs_of_block(settings["start"], size, first, block)
        return pd.read_parquet(path, filters=[("run", ">=", begin), ("run", "<", stop)])

    tables = []
    done = 0
    for first in firsts:
        for method in methods:

            def compute(output: Path, method: str = method, first: int = first) -> None:
                intervals = cover_block(pool(first), [method], size, first, block, options)
                intervals.to_parquet(output, index=False)

            output = task.outputs["intervals"].with_name(f"{method}.{first}.parquet")
            task.unit("cover.block", decisive[first, method], hashes, compute, output)
            tables.append(pd.read_parquet(output))
        done += missing[first]
        report(first + block - settings["first"], done)
    # Sorted by data set, so that the order of the rows does not depend on the size of the blocks.
    table = pd.concat(tables).sort_values("dataset", kind="stable", ignore_index=True)
    table[table["dataset"] < end].to_parquet(task.outputs["intervals"], index=False)


def _decisive(settings: Mapping[str, Any], method: str, first: int) -> dict[str, Any]:
    """Return all settings that determine the intervals of a block."""
    from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS

    names = ("design", "seed", "confidence_level", "n_resamples", "start", "variants", "size", "block")
    return {name: settings[name] for name in names} | {
        "method": method,
        "first": first,
        "code": {
            module: fingerprint(module)
            for module in ("surefoot.statistics.coverage.score_coverage", ESTIMATORS[method])
        },
        "versions": versions("cover"),
    }


def summary(task: Task) -> None:
    """Write the coverage of the intervals of all sizes, taking the scores of the pool as the truth."""
    from surefoot.statistics.coverage.score_coverage import pool_scores

    parts = [read_table(path) for name, path in task.inputs.items() if name != "pool"]
    truth = pool_scores(samples_of_environments(task.inputs["pool"]))
    summary = summarize_coverage(pd.concat(parts, ignore_index=True), truth)
    write_table(summary, task.outputs["summary"])


def samples_of_environments(path: Path) -> Iterator[Samples]:
    """Yield the samples of a run table in Parquet by environment, so that the whole table need not fit into memory."""
    pairs = pq.read_table(path, columns=_PAIR, read_dictionary=_PAIR).to_pandas()
    algorithms = pairs["algorithm"].unique().tolist()
    for environment in pairs["environment"].unique():
        chosen = [("environment", "==", environment)]
        runs = pd.read_parquet(path, columns=[*_PAIR, "score"], filters=chosen, read_dictionary=_PAIR)
        order = pd.Categorical(runs["algorithm"], algorithms, ordered=True)
        yield samples_from_runs(runs.assign(algorithm=order).sort_values("algorithm", kind="stable"))


def failures(task: Task) -> None:
    """Write how often the intervals of a subject (a `Study` of surefoot.validation) fail in each simulated case."""
    settings = task.settings
    module, _, name = settings["subject"].partition(":")
    study: Study = getattr(import_module(module), name)
    cells = study.cells
    sizes = {name: settings[name] for name in ("datasets", "n_resamples", "seed")}

    def decisive(cell: dict[str, Any]) -> dict[str, Any]:
        code = {"code": {name: fingerprint(name) for name in (module, __name__)}, "versions": versions("cover")}
        return {"subject": settings["subject"], "cell": cell} | sizes | code

    missing = [task.missing("trust.cell", decisive(cell), {}) for cell in cells]
    report = progress_reporter(name, len(cells), "cases", sum(missing))
    tables = []
    done = 0
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
