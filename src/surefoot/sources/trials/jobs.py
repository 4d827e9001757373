"""The jobs of simulated trials: batches of blocks that all of a study's sources of trials are cut from, and their "
"tables."""

from collections.abc import Mapping
from typing import Any

from surefoot.build.job import Job
from surefoot.simulation import registry
from surefoot.sources.settings import StudySources, run_table_path
from surefoot.sources.trials.settings import Settings, smallest_of


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
    for (algorithm, environment), (source, trials) in _needed(sources).items():
        own = source.own.plain()
        block = smallest_of(source.block, source.block_of, algorithm, environment)
        for first in range(0, trials, block):
            part = {
                "algorithm": algorithm,
                "cell": f"{algorithm}.{environment}",
                "block": f"{algorithm}.{environment}.{first // block}",
            }[source.batch]
            cells = batches.setdefault(part, {})
            modules = registry.modules(algorithm, environment, own)
            settings = registry.settings(algorithm, environment, own) | {"modules": list(modules)}
            settings |= {"first": first, "trials": 0, "block": block}
            cells.setdefault(f"{algorithm}.{environment}", settings)["trials"] += min(block, trials - first)
            used.setdefault(part, {"surefoot.simulation.costs"}).update(modules)
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


def _needed(sources: Mapping[str, Settings]) -> dict[tuple[str, str], tuple[Settings, int]]:
    """For each algorithm that really runs in each environment, the first source that wants it and the most trials that
    any wants."""
    needed: dict[tuple[str, str], tuple[Settings, int]] = {}
    for source in sources.values():
        for _, environment, cell, trials in source.rows():
            first, most = needed.get((cell, environment), (source, 0))
            needed[cell, environment] = first, max(trials, most)
    return needed
