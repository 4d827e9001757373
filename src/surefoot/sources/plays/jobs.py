"""The jobs of Bayesian plays: one for each agent, and the tables made of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from surefoot.bayesian import registry
from surefoot.bayesian.entry import parameters_text
from surefoot.build.job import Job
from surefoot.sources.plays.settings import PLAYS, Settings
from surefoot.sources.settings import StudySources, run_table_path

_COLLECT = "surefoot.sources.plays.collecting"


def jobs(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    """Of each source the plays, a job for each agent; the table of all of them; and the runs of each agent's best
    parameters."""
    made = []
    for name, source in sources.items():
        played = list(_plays(study, source))
        order = list(dict.fromkeys(entry.agent for entry in source.agents))
        chosen = {"variant": source.variants[0], "environments": list(source.environments)}
        all_plays, runs = run_table_path(study.name, PLAYS), run_table_path(study.name, name)
        inputs = {job.part: job.outputs["runs"] for job in played}
        collect, best = f"{_COLLECT}:collect_plays", f"{_COLLECT}:collect_best"
        made += [
            *played,
            Job("collect", study.name, PLAYS, collect, {"agents": order}, (), inputs, {"runs": all_plays}),
            Job("collect", study.name, name, best, chosen, (), {"plays": all_plays}, {"runs": runs}),
        ]
    return made


def _plays(study: StudySources, source: Settings) -> Iterator[Job]:
    """One job an agent, with all its parameters in all its environments."""
    given = source.model_dump(mode="json", include=set(registry.PLAY_OPTIONS))
    cells: dict[str, dict[str, dict[str, Any]]] = {}
    for cell, mdps in source.cells(study.seed):
        arguments = parameters_text(cell["arguments"])
        key = f"{cell['agent']}({arguments}).{cell['environment']}"
        kept = cells.setdefault(cell["agent"], {}).setdefault(key, {"cell": cell, "mdps": 0})
        kept["mdps"] = max(kept["mdps"], mdps)
        # Slow agents play few MDPs: a whole block of the usual size would be too many.
        kept["block"] = min(kept["mdps"], source.block)
    for agent, wanted in cells.items():
        outputs = {"runs": f"results/simulate/{study.name}/{agent}.parquet"}
        if source.transitions:
            outputs["transitions"] = f"results/simulate/{study.name}/{agent}_transitions.parquet"
        settings = {"seed": study.seed, "cells": wanted} | given
        code = {module for entry in wanted.values() for module in registry.modules(entry["cell"])}
        code.add(registry.PLAY_TABLE)
        work = "surefoot.sources.plays.playing:play"
        yield Job("simulate", study.name, agent, work, settings, tuple(sorted(code)), {}, outputs, in_pieces=True)
