"""The jobs that bring a study its runs: simulations in batches, and the run tables made of them or of a file."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from surefoot.build.fingerprint import SOURCE
from surefoot.build.job import Job
from surefoot.simulation import registry

_POLICIES = ("columns", "invalid_scores", "missing_cells", "duplicate_runs")


def simulations(name: str, study: dict) -> list[Job]:
    """The batches of blocks that the study's runs and its pools for coverage are cut from."""
    section = study["simulate"]
    batches: dict[str, dict[str, dict]] = {}
    used: dict[str, set[str]] = {}
    for (algorithm, environment), trials in _trials(study).items():
        block = smallest_of(section["block"], section["block_of"], algorithm, environment)
        for first in range(0, trials, block):
            part = {
                "algorithm": algorithm,
                "cell": f"{algorithm}.{environment}",
                "block": f"{algorithm}.{environment}.{first // block}",
            }[section["batch"]]
            cells = batches.setdefault(part, {})
            modules = registry.modules(algorithm, environment, section["own"])
            settings = registry.settings(algorithm, environment, section["own"]) | {"modules": list(modules)}
            settings |= {"first": first, "trials": 0, "block": block}
            cells.setdefault(f"{algorithm}.{environment}", settings)["trials"] += min(block, trials - first)
            used.setdefault(part, {"surefoot.simulation.costs"}).update(modules)
    return [
        Job(
            "simulate",
            name,
            part,
            "surefoot.sources.trials:simulate",
            {"seed": study["seed"], "cells": cells},
            tuple(used[part]),
            {},
            {"runs": f"results/simulate/{name}/{part}.parquet"},
            in_pieces=True,
        )
        for part, cells in batches.items()
    ]


def other_simulations(name: str, study: dict) -> list[Job]:
    """The runs that are no trials: of the same hyperparameters, for tuning, and random policies, for percentiles."""
    if "simulate" not in study:
        return []
    own = study["simulate"]["own"]
    jobs, tuning, policies = [], study["aggregate"]["tuning"], study["aggregate"]["random_policies"]
    if "tuning" in study["aggregate"]["analyses"]:
        cells = {
            f"{cell}.{environment}": {
                "settings": registry.settings(cell, environment, own),
                "modules": registry.modules(cell, environment, own),
            }
            for algorithm in tuning["algorithms"] or study["simulate"]["algorithms"]
            for environment in tuning["environments"] or study["simulate"]["environments"]
            for cell in [registry.cell(algorithm, environment, own)]
        }
        numbers = {"candidates": tuning["hyperparameters"], "runs": tuning["tuning_runs"] + tuning["reported_runs"]}
        jobs.append(_other(name, study, "surefoot.simulation.repeated:same_hyperparameters", cells, numbers))
    if policies is not None and "exploits" in study["aggregate"]["analyses"]:
        cells = {
            environment: {
                "settings": registry.environment_settings(environment, own),
                "modules": registry.environment_modules(environment, own),
            }
            for environment in study["simulate"]["environments"]
        }
        jobs.append(_other(name, study, "surefoot.simulation.random_policies:random_policies", cells, policies))
    return jobs


def _other(name: str, study: dict, protocol: str, cells: dict, numbers: dict) -> Job:
    """The job of a protocol, which is named as ``module:function``."""
    module, _, part = protocol.partition(":")
    settings = {"protocol": protocol, "seed": study["seed"], "cells": cells, "numbers": numbers}
    modules = (module, *dict.fromkeys(used for cell in cells.values() for used in cell["modules"]))
    output = {"runs": f"results/simulate/{name}/{part}.parquet"}
    work = "surefoot.sources.protocols:simulate"
    return Job("simulate", name, part, work, settings, modules, {}, output, in_pieces=True)


def run_tables(name: str, study: dict, simulated: list[Job]) -> list[Job]:
    """The run table of the study, and one for each of its pools for coverage."""
    if not simulated:
        settings = {key: study["collect"][key] for key in _POLICIES}
        table = os.path.relpath(score_table_path(study["collect"]["file"]))
        work, outputs = "surefoot.sources.score_table:collect", {"runs": run_table(name)}
        return [Job("collect", name, "runs", work, settings, (), {"table": table}, outputs)]
    tables = {"runs": list(rows(study["simulate"]))}
    tables |= {f"pool_{key}": list(rows(pool(study, key))) for key in study["cover"]}
    jobs = []
    for part, listed in tables.items():
        cells = {f"{cell}.{environment}" for _, environment, cell, _ in listed}
        inputs = {job.part: job.outputs["runs"] for job in simulated if cells & job.settings["cells"].keys()}
        outputs = {"runs": f"results/collect/{name}/{part}.parquet"}
        jobs.append(
            Job("collect", name, part, "surefoot.sources.trial_runs:collect", {"rows": listed}, (), inputs, outputs)
        )
    return jobs


def run_table(name: str, part: str = "runs") -> str:
    """Path of a run table of a study."""
    return f"results/collect/{name}/{part}.parquet"


def score_table_path(file: str) -> Path:
    """Where a study's file is: relative to where the workflow runs or, for the shipped studies, to the checkout."""
    path = Path(file)
    shipped = SOURCE.parent / file
    return shipped if shipped.is_file() and not path.is_file() else path


def known_bounds(study: dict) -> dict[str, list[float]]:
    """(Least, greatest) score that is possible, by environment."""
    if "simulate" not in study:
        return study["estimate"]["bounds"]
    names = [
        *study["simulate"]["environments"],
        *(name for key in study["cover"] for name in pool(study, key)["environments"]),
    ]
    known = registry.environments(study["simulate"]["own"])
    return {name: list(known[name].returns) for name in names}


def pool(study: dict, key: str) -> dict:
    """What is simulated for a study of coverage: its own choice, else that of the study."""
    chosen = study["cover"][key]["pool"]
    others = {"trials_of": {}} if "trials" in chosen else {}
    return study["simulate"] | others | chosen


def smallest_of(usual: int, others: Mapping[str, int], *names: str) -> int:
    """The smallest number given for one of these names, else the usual one."""
    given = [others[name] for name in names if name in others]
    return min(given) if given else usual


def _trials(study: dict) -> dict[tuple[str, str], int]:
    """How many trials of each cell are needed: of each algorithm that really runs in each environment."""
    wanted: dict[tuple[str, str], int] = {}
    for section in (study["simulate"], *(pool(study, key) for key in study["cover"])):
        for _, environment, cell, trials in rows(section):
            wanted[cell, environment] = max(trials, wanted.get((cell, environment), 0))
    return wanted


def rows(section: dict) -> Iterator[list]:
    """[algorithm, environment, the algorithm that really runs, trials] in the order in which they are shown."""
    for algorithm in section["algorithms"]:
        for environment in section["environments"]:
            cell = registry.cell(algorithm, environment, section["own"])
            trials = smallest_of(section["trials"], section["trials_of"], cell, environment)
            yield [algorithm, environment, cell, trials]
