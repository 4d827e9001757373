"""The jobs of Bayesian plays: one or several for each agent, and the tables made of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from surefoot.bayesian import registry
from surefoot.bayesian.registry import parameters_text
from surefoot.build.job import Job
from surefoot.measured_seconds import batch_numbers, seconds_of_plays
from surefoot.sources.plays.settings import PLAYS, Settings
from surefoot.sources.settings import StudySources, run_table_path

Cells = dict[str, dict[str, Any]]
_COLLECT = "surefoot.sources.plays.collecting"


def jobs(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    """Of each source the plays, agent by agent; the table of all of them; and the runs of each agent's best
    parameters."""
    made = []
    for name, source in sources.items():
        played = list(_plays(study, source))
        chosen = {"variant": source.variants[0], "environments": list(source.environments)}
        all_plays, runs = run_table_path(study.name, PLAYS), run_table_path(study.name, name)
        inputs = {job.part: job.outputs["runs"] for job in played}
        collect, best = f"{_COLLECT}:collect_plays", f"{_COLLECT}:collect_best"
        made += [
            *played,
            Job("collect", study.name, PLAYS, collect, {"parts": list(inputs)}, (), inputs, {"runs": all_plays}),
            Job("collect", study.name, name, best, chosen, (), {"plays": all_plays}, {"runs": runs}),
        ]
    return made


def _plays(study: StudySources, source: Settings) -> Iterator[Job]:
    """The jobs of an agent, with all its parameters in all its environments."""
    given = source.model_dump(mode="json", include=set(registry.PLAY_OPTIONS))
    cells: dict[str, Cells] = {}
    for cell, mdps in source.cells(study.seed):
        arguments = parameters_text(cell["arguments"])
        key = f"{cell['agent']}({arguments}).{cell['environment']}"
        kept = cells.setdefault(cell["agent"], {}).setdefault(key, {"cell": cell, "mdps": 0})
        kept["mdps"] = max(kept["mdps"], mdps)
        # Slow agents play few MDPs: a whole block of the usual size would be too many.
        kept["block"] = min(kept["mdps"], source.block)
    for part, wanted in _parts(cells, source.batch):
        outputs = {"runs": f"results/simulate/{study.name}/{part}.parquet"}
        if source.transitions:
            outputs["transitions"] = f"results/simulate/{study.name}/{part}_transitions.parquet"
        settings = {"seed": study.seed, "cells": wanted} | given
        code = {module for entry in wanted.values() for module in registry.modules(entry["cell"])}
        code.add(registry.PLAY_TABLE)
        work = "surefoot.sources.plays.playing:play"
        yield Job("simulate", study.name, part, work, settings, tuple(sorted(code)), {}, outputs, in_pieces=True)


def _parts(cells: Mapping[str, Cells], batch: str) -> Iterator[tuple[str, Cells]]:
    """(part, cells) of each job."""
    for agent, wanted in cells.items():
        if batch == "agent":
            yield agent, wanted
            continue
        parts: dict[str, Cells] = {}
        numbers = batch_numbers(seconds_of_plays(entry["cell"], entry["mdps"]) for entry in wanted.values())
        for number, (key, entry) in zip(numbers, wanted.items(), strict=True):
            parts.setdefault(f"{agent}.{number}", {})[key] = entry
        yield from parts.items()
