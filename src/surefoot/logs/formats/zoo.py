"""rl-baselines3-zoo: ``logs/<algorithm>/<environment>_<counter>/`` with monitor files, evaluations and arguments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.data_files import read_configuration
from surefoot.logs.formats import stable_baselines3_evaluations, stable_baselines3_monitor
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "rl-baselines3-zoo's folders (<algorithm>/<environment>_<counter>/): training and evaluation returns"
CONTAINS = (
    "stable_baselines3_monitor",
    "stable_baselines3_evaluations",
    "stable_baselines3_progress",
    "tensorboard",
    "rliable",
)
_ARGUMENTS = ("args.yml", "config.yml")
_COUNTED = re.compile(r"(?P<environment>.+)_(?P<counter>\d+)(?:_[0-9a-f-]{36})?")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder that has the arguments of its training in a folder below, beside monitor files or
    evaluations."""
    arguments = {path.parent.parent for path in files if path.name in _ARGUMENTS}
    found: dict[Path, list[Path]] = {}
    for path in files:
        is_log = path.name.endswith("monitor.csv") or path.name == "evaluations.npz"
        if is_log and path.parent in arguments:
            found.setdefault(path.parent, []).append(path)
    return [Place(below(root, folder), tuple(paths)) for folder, paths in found.items()]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """As the callbacks of Stable-Baselines3 log it; but evaluations of Atari games are not deterministic by default."""
    if kind == "train":
        return stable_baselines3_monitor.logged(kind, metric, environment)
    of_callback = stable_baselines3_evaluations.logged(kind, metric, environment)
    return of_callback._replace(deterministic=not ("NoFrameskip" in environment or environment.startswith("ALE")))


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of the monitor files and of the evaluations; the counter of the folder is no seed."""
    folder = place.paths[0].parent
    arguments = _arguments(folder)
    match = _COUNTED.fullmatch(folder.name)
    told = {"algorithm": folder.parent.name, "environment": match["environment"] if match else folder.name}
    told |= {name: str(arguments[key]) for name, key in _KEYS.items() if isinstance(arguments.get(key), str | int)}
    if "run" not in told or told["run"].startswith("-"):
        notes.remark(f"{place.name}: no seed in args.yml, so the run goes by the name of its folder")
        told["run"] = place.name
    for reader, paths in (
        (stable_baselines3_monitor, tuple(path for path in place.paths if path.name.endswith("monitor.csv"))),
        (stable_baselines3_evaluations, tuple(path for path in place.paths if path.name == "evaluations.npz")),
    ):
        if paths:
            for curve in reader.read(Place(place.name, paths), root, asked, notes):
                yield curve._replace(told=told)


_KEYS = {"algorithm": "algo", "environment": "env", "run": "seed"}


def _arguments(folder: Path) -> Mapping[str, Any]:
    """The arguments of the training, which stand in a folder that has the environment's name."""
    for path in sorted(folder.glob("*/args.yml")):
        if found := read_configuration(path):
            return found
    return {}
