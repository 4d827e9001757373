"""The jobs of simulated trials: batches of blocks that all of a study's sources of trials are cut from, and their "
"tables."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from surefoot.build.job import Job
from surefoot.measured_seconds import batch_numbers, seconds_of_trial
from surefoot.simulation import registry
from surefoot.sources.settings import StudySources, run_table_path
from surefoot.sources.trials.settings import Settings, smallest_of


class _Block(NamedTuple):
    """Trials that the store keeps together: from `first`, as many of the block's size as are wanted."""

    source: Settings
    environment: str
    first: int
    trials: int
    size: int


def jobs(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    """The batches, and the run table of each source."""
    simulated = _simulations(study, sources)
    made = list(simulated)
    for name, source in sources.items():
        rows = list(source.rows())
        cells = {f"{cell}.{environment}" for _, environment, cell, _ in rows}
        inputs = {job.part: job.outputs["runs"] for job in simulated if cells & job.settings["cells"].keys()}
        work, outputs = "surefoot.sources.trials.collecting:collect", {"runs": run_table_path(study.name, name)}
        made.append(Job("collect", study.name, name, work, {"rows": rows}, (), inputs, outputs))
    return made


def _simulations(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    batches: dict[str, dict[str, dict[str, Any]]] = {}
    used: dict[str, set[str]] = {}
    for algorithm, blocks in _blocks(sources).items():
        numbers = batch_numbers(block.size * seconds_of_trial(algorithm, block.environment) for block in blocks)
        for number, (source, environment, first, trials, size) in zip(numbers, blocks, strict=True):
            own, cell = source.own.plain(), f"{algorithm}.{environment}"
            part = {"algorithm": algorithm, "cell": cell, "block": f"{algorithm}.{number}"}[source.batch]
            cells = batches.setdefault(part, {})
            modules = registry.modules(algorithm, environment, own)
            settings = registry.settings(algorithm, environment, own) | {"modules": list(modules)}
            settings |= {"first": first, "trials": 0, "block": size}
            cells.setdefault(cell, settings)["trials"] += trials
            used.setdefault(part, {"surefoot.measured_seconds"}).update(modules)
    work = "surefoot.sources.trials.simulating:simulate"
    return [
        Job(
            "simulate",
            study.name,
            part,
            work,
            {"seed": study.seed, "cells": cells},
            tuple(used[part]),
            {},
            {"runs": f"results/simulate/{study.name}/{part}.parquet"},
            in_pieces=True,
        )
        for part, cells in batches.items()
    ]


def _blocks(sources: Mapping[str, Settings]) -> dict[str, list[_Block]]:
    """The blocks of each algorithm that really runs, environment by environment."""
    blocks: dict[str, list[_Block]] = {}
    for (algorithm, environment), (source, trials) in _needed(sources).items():
        size = smallest_of(source.block, source.block_of, algorithm, environment)
        blocks.setdefault(algorithm, []).extend(
            _Block(source, environment, first, min(size, trials - first), size) for first in range(0, trials, size)
        )
    return blocks


def _needed(sources: Mapping[str, Settings]) -> dict[tuple[str, str], tuple[Settings, int]]:
    """For each algorithm that really runs in each environment, the first source that wants it and the most trials that
    any wants."""
    needed: dict[tuple[str, str], tuple[Settings, int]] = {}
    for source in sources.values():
        for _, environment, cell, trials in source.rows():
            first, most = needed.get((cell, environment), (source, 0))
            needed[cell, environment] = first, max(trials, most)
    return needed
