"""The jobs of a study of Bayesian agents: their plays, a job an agent, and the tables made of them."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from surefoot.bayesian import registry
from surefoot.build.job import Job

LEFT_OUT = ("formula",)
"""Agents that have no place among bounds on times: the time of the search that found the formula is not theirs."""

_COLLECT = "surefoot.sources.play_runs"
REPLICATES = 2_000
"""Resamples behind the intervals of the IQM and of the probability of improvement."""

ANALYSES = ("agents", "time_bounds")
"""What is computed of all plays, beyond what is asked of any run table."""


def plays(name: str, study: dict) -> list[Job]:
    """One job an agent, with all its parameters in all its environments."""
    section = study["bayesian"]
    chosen = {key: section[key] for key in registry.PLAY_OPTIONS}
    cells: dict[str, dict[str, dict]] = {}
    for cell, mdps in cells_of(study):
        arguments = registry.parameters_text(cell["arguments"])
        key = f"{cell['agent']}({arguments}).{cell['environment']}"
        kept = cells.setdefault(cell["agent"], {}).setdefault(key, {"cell": cell, "mdps": 0})
        kept["mdps"] = max(kept["mdps"], mdps)
        # Slow agents play few MDPs: a whole block of the usual size would be too many.
        kept["block"] = min(kept["mdps"], section["block"])
    jobs = []
    for agent, wanted in cells.items():
        outputs = {"runs": f"results/simulate/{name}/{agent}.parquet"}
        if section["transitions"]:
            outputs["transitions"] = f"results/simulate/{name}/{agent}_transitions.parquet"
        settings = {"seed": study["seed"], "cells": wanted} | chosen
        code = {module for entry in wanted.values() for module in registry.modules(entry["cell"])}
        code.add(registry.PLAY_TABLE)
        work = "surefoot.sources.plays:play"
        jobs.append(Job("simulate", name, agent, work, settings, tuple(sorted(code)), {}, outputs, in_pieces=True))
    return jobs


def cells_of(study: dict) -> Iterator[tuple[dict, int]]:
    """(cell as `surefoot.bayesian.cells.Cell` takes it, number of MDPs) for every agent that the study names."""
    section = study["bayesian"]
    for entry in section["agents"]:
        several = "file" not in entry and registry.AGENTS[entry["agent"]].variants
        variants = entry.get("variants", section["variants"]) if several else section["variants"][:1]
        environments = entry.get("environments", section["environments"])
        parameters = entry.get("parameters", {})
        choices = list(itertools.product(*parameters.values()))
        for choice, environment, variant in itertools.product(choices, environments, variants):
            test, prior = sources(section, environment)
            named = dict(zip(parameters, choice, strict=True))
            cell = registry.cell(entry["agent"], named, environment, variant, study["seed"], test, entry.get("file"))
            changes = {"prior": prior, "discount": section["discount"], "horizon": section["horizon"]}
            yield cell | changes, entry.get("mdps", section["mdps"])


def sources(section: dict, environment: str) -> tuple[dict, dict | str | None]:
    """Where the test distribution and the prior of an environment ``<case>/<experiment>`` come from."""
    case, _, experiment = environment.partition("/")
    test = source_of(section, experiment)
    return test, None if case == "accurate" else "uniform" if case == "inaccurate" else source_of(section, case)


def source_of(section: dict, name: str) -> dict:
    """Where a distribution of the package or of the study's own comes from, as `Cell` takes it."""
    if name in section["distributions"]:
        given = section["distributions"][name]
        if "file" in given:
            return {"module": given["file"], "name": name}
        if "table" not in given:
            return given
        return {"transitions": _rows(given["table"]), "initial_state": given["initial_state"]}
    return registry.source_of(name)


def _rows(table: str) -> list[list[float]]:
    """The transitions of a table: the numbers, not the file's name, belong in the specs of jobs."""
    from surefoot.sources.transition_tables import read_transitions

    return read_transitions(Path(table))


def play_tables(name: str, study: dict, jobs: list[Job]) -> list[Job]:
    """The table of all plays, the run table of each agent's best parameters, and what is computed of all plays."""
    order = list(dict.fromkeys(entry["agent"] for entry in study["bayesian"]["agents"]))
    chosen = {"variant": study["bayesian"]["variants"][0], "environments": study["bayesian"]["environments"]}
    all_plays, runs = (f"results/collect/{name}/{part}.parquet" for part in ("plays", "runs"))
    inputs = {job.part: job.outputs["runs"] for job in jobs}
    made = [
        Job("collect", name, "plays", f"{_COLLECT}:collect_plays", {"agents": order}, (), inputs, {"runs": all_plays}),
        Job("collect", name, "runs", f"{_COLLECT}:collect_best", chosen, (), {"plays": all_plays}, {"runs": runs}),
    ]
    for analysis in ANALYSES:
        outputs = {"values": f"results/aggregate/{name}/{analysis}.csv"}
        settings = {"left_out": list(LEFT_OUT)} if analysis == "time_bounds" else {}
        work = f"surefoot.questions.{analysis}:answer"
        made.append(Job("aggregate", name, analysis, work, settings, (), {"runs": all_plays}, outputs))
    outputs = {"bands": f"results/estimate/{name}/paired_z.csv"}
    work = "surefoot.questions.paired_z:answer"
    made.append(Job("estimate", name, "paired_z", work, {}, (), {"runs": all_plays}, outputs))
    chosen = {"replicates": REPLICATES, "seed": study["seed"]}
    chosen["confidence"] = study["estimate"]["confidence"]
    outputs = {"intervals": f"results/estimate/{name}/views.csv"}
    made.append(Job("estimate", name, "views", "surefoot.questions.views:answer", chosen, (), {"runs": runs}, outputs))
    return made


def agent_titles(study: dict) -> dict[str, str]:
    """Titles of all agents of the package, which published tables name too, and of the study's own by their names."""
    known = {name: agent.title for name, agent in registry.AGENTS.items()}
    own = {entry["agent"]: entry["agent"] for entry in study["bayesian"]["agents"] if entry["agent"] not in known}
    return known | own


def environment_titles(study: dict) -> dict[str, str]:
    """Titles of all environments of the package and of the study's."""
    known = [f"{case}/{experiment}" for case in registry.CASES for experiment in registry.EXPERIMENTS]
    found = {}
    for environment in (*known, *study["bayesian"]["environments"]):
        case, _, experiment = environment.partition("/")
        shown = registry.EXPERIMENTS[experiment].title if experiment in registry.EXPERIMENTS else experiment
        found[environment] = f"{shown}, {case}" if case in registry.CASES else f"{shown}, prior {case}"
    return found
