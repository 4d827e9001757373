"""The algorithms and environments that a study may name, and what decides the numbers of a cell.

Light on purpose: nothing heavy is imported. A module named here is a dotted path; see `protocol` for what such a module
must define.

A study may bring its own algorithms and environments: `own` is the section `own` of its source, {"algorithms": {name:
{"file", "arguments"}}, "environments": {name: {"file", "arguments", "kind", "episodes", "returns"}}}.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from surefoot.simulation.entries import ALGORITHMS, ENVIRONMENTS
from surefoot.simulation.entry import PYTHON, Algorithm, Environment

CELLS = "surefoot.simulation.cells"
NONE_OF_ITS_OWN: Mapping[str, Any] = MappingProxyType({})


def algorithms(own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, Algorithm]:
    """The package's algorithms and a study's own."""
    mine = own.get("algorithms", {})
    return ALGORITHMS | {
        name: Algorithm(name, entry["file"], entry.get("arguments", {})) for name, entry in mine.items()
    }


def environments(own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, Environment]:
    """The package's environments and a study's own."""
    mine = own.get("environments", {})
    return ENVIRONMENTS | {
        name: Environment(
            name, entry["file"], entry.get("arguments", {}), entry["kind"], entry["episodes"], tuple(entry["returns"])
        )
        for name, entry in mine.items()
    }


def cell(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> str:
    """The algorithm that really runs: on discrete environments a scaled one *is* its base, the same sample."""
    if algorithms(own)[algorithm].scaled and environments(own)[environment].kind == "discrete":
        return algorithm.removesuffix("_s")
    return algorithm


def modules(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> tuple[str, ...]:
    """Dotted names of the modules, and paths of the files, that decide the numbers of a cell, with all they import."""
    return algorithms(own)[algorithm].module, environments(own)[environment].module, CELLS


def settings(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, object]:
    """What else decides the numbers of a cell: plain data that belongs in its specification."""
    played, world = algorithms(own)[algorithm], environments(own)[environment]
    scaled = played.scaled and world.kind == "continuous"
    chosen = {"algorithms": algorithm, "environments": environment}
    brought = {kind: {name: own[kind][name]} for kind, name in chosen.items() if name in own.get(kind, {})}
    return (
        {
            "algorithm": cell(algorithm, environment, own),
            "algorithm_arguments": played.arguments | ({"scaled": True} if scaled else {}),
            "environment": environment,
            "environment_arguments": world.arguments,
            "episodes": world.episodes,
        }
        | ({"own": brought} if brought else {})
        | ({"kind": PYTHON} if world.kind == PYTHON else {})
    )


def environment_modules(environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> tuple[str, ...]:
    """Dotted names of the modules that decide what happens in an environment, with all that they import."""
    return (environments(own)[environment].module,)


def environment_settings(environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, object]:
    """What else decides it: plain data that belongs in a specification."""
    return {"environment": environment, "environment_arguments": environments(own)[environment].arguments}
