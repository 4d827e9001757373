"""cover: intervals of many data sets, in blocks that the store keeps apart, and what they do all together."""

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.pipeline.canonical import sha256_file
from surefoot.pipeline.fingerprint import fingerprint
from surefoot.pipeline.job import Task
from surefoot.pipeline.jobs import versions
from surefoot.pipeline.log import progress_reporter
from surefoot.statistics.coverage import CoverageOptions, cover_block, pool_scores
from surefoot.statistics.coverage_summary import summarize_coverage
from surefoot.statistics.interval_catalogue import ESTIMATORS


def run(task: Task) -> None:
    """Write the intervals of the job's data sets, the summary of all of them, analyses, or a table of failure rates."""
    if "work" in task.settings:
        from surefoot.pipeline.trust_tables import write_failure_rates

        write_failure_rates(task)
    elif "analyses" in task.settings:
        from surefoot.pipeline.analyses import run_analyses

        run_analyses(task, "cover")
    elif "summary" in task.settings:
        parts = [pd.read_parquet(path) for name, path in task.inputs.items() if name != "pool"]
        truth = pool_scores(pd.read_parquet(task.inputs["pool"]))
        summary = summarize_coverage(pd.concat(parts, ignore_index=True), truth)
        summary.to_parquet(task.outputs["summary"], index=False)
    else:
        _intervals(task)


def _intervals(task: Task) -> None:
    """Whole blocks are computed, and the last data sets of the last one left out where fewer are asked for."""
    settings = task.settings
    end = settings["first"] + settings["datasets"]
    hashes = {"pool": sha256_file(task.inputs["pool"])}
    missing = Counter(unit[1]["first"] for unit in units(settings, hashes) if task.missing(*unit))
    report = progress_reporter(f"cover {settings['size']} runs", settings["datasets"], "data sets", missing.total())
    compute_block = _block_maker(task, hashes)
    blocks, done = [], 0
    for first in range(settings["first"], end, settings["block"]):
        blocks.append(compute_block(first))
        done += missing[first]
        report(first + settings["block"] - settings["first"], done)
    table = pd.concat(blocks, ignore_index=True)
    table[table["dataset"] < end].to_parquet(task.outputs["intervals"], index=False)


def units(settings: Mapping, hashes: Mapping[str, str]) -> Iterator[tuple[str, dict, dict]]:
    """(kind, settings, hashes) of all that the job keeps apart in the store."""
    if {"summary", "analyses", "work"} & settings.keys():
        return
    for first in range(settings["first"], settings["first"] + settings["datasets"], settings["block"]):
        for method in settings["methods"]:
            yield "cover.block", _decisive(settings, method, first), {"pool": hashes["pool"]}


def _decisive(settings: Mapping, method: str, first: int) -> dict:
    """All that decides the intervals of a block."""
    names = ("design", "seed", "confidence", "replicates", "start", "variants", "size", "block")
    bounds = {"bounds": settings["bounds"]} if method == "pbp_known_bounds" else {}
    return (
        {name: settings[name] for name in names}
        | bounds
        | {
            "method": method,
            "first": first,
            "code": [fingerprint("surefoot.statistics.coverage"), fingerprint(ESTIMATORS[method])],
            "versions": versions("cover"),
        }
    )


def _block_maker(task: Task, hashes: Mapping[str, str]) -> Callable[[int], pd.DataFrame]:
    """A function that gives the block that begins with a data set's number, from the store or computed."""
    settings, path = task.settings, task.inputs["pool"]
    # A pool that is cut may be far larger than what one block takes of it.
    cut = settings["design"] == "cut" and pa.types.is_integer(pq.read_schema(path).field("run").type)
    whole = None if cut else pd.read_parquet(path)
    options = {name: settings[name] for name in ("design", "seed", "confidence", "replicates", "start")}
    options = CoverageOptions(**options, variants=tuple(settings["variants"]), bounds=settings.get("bounds"))

    @functools.lru_cache(maxsize=1)  # all methods of a block take the same
    def pool(first: int) -> pd.DataFrame:
        if whole is not None:
            return whole
        begin = settings["start"] + settings["size"] * first
        end = begin + settings["size"] * settings["block"]
        return pd.read_parquet(path, filters=[("run", ">=", begin), ("run", "<", end)])

    def block(first: int) -> pd.DataFrame:
        parts = []
        for method in settings["methods"]:

            def compute(output: Path, method=method) -> None:
                intervals = cover_block(pool(first), [method], settings["size"], first, settings["block"], options)
                intervals.to_parquet(output, index=False)

            output = task.outputs["intervals"].with_name(f"{method}.{first}.parquet")
            task.unit("cover.block", _decisive(settings, method, first), hashes, compute, output)
            parts.append(pd.read_parquet(output))
        return pd.concat(parts, ignore_index=True)

    return block
