"""Acme: ``<id>/logs/<label>/logs.csv``, one row for each time a loop logs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from surefoot.logs.curves import Curve, Notes, Place, kept_rows
from surefoot.logs.data_files import csv_header, read_csv
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "Acme's logs (<id>/logs/<label>/logs.csv): returns of the episodes of its loops"
CONTAINS = ("tensorboard",)
_KINDS = {"evaluator": "eval", "eval": "eval", "eval_loop": "eval", "evaluation": "eval"}
_KINDS |= {"actor": "train", "train": "train", "train_loop": "train", "environment_loop": "train"}
_STEPS = ("actor_steps", "train_steps", "learner_steps", "evaluator_steps", "eval_steps")
_RETURN = "episode_return"


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a folder `logs` of such files; each label is a loop of the same run."""
    found: dict[Path, list[Path]] = {}
    for path in files:
        if path.name == "logs.csv" and _RETURN in csv_header(path) and path.parent.name in _KINDS:
            folder = path.parent.parent
            found.setdefault(folder.parent if folder.name == "logs" and folder != root else folder, []).append(path)
    return [Place(below(root, folder), tuple(paths)) for folder, paths in found.items()]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Single episodes of a loop, of which at most one a second is logged."""
    return Logged("Acme", "episode")


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """A curve for each loop; the algorithm and the environment stand in the path alone."""
    for path in place.paths:
        rows = read_csv(path, below(root, path), notes)
        axis = next((name for name in _STEPS if name in rows.columns), None)
        if axis is None:
            continue
        rows = rows.dropna(subset=[axis])
        rows = rows[kept_rows(rows[axis].to_numpy(np.float64), below(root, path), notes)]
        remark = "" if axis == "actor_steps" else f"steps are those of the column {axis}, as there is no actor_steps"
        numeric = [name for name in rows.columns if rows[name].dtype.kind in "fiu" and name != axis]
        notes.metrics.update(numeric)
        kind = _KINDS[path.parent.name]
        for metric in (_RETURN,) if asked is None else asked:
            if metric in numeric:
                logged = rows[rows[metric].notna()]
                steps, scores = (logged[name].to_numpy(np.float64) for name in (axis, metric))
                episodes = np.ones(steps.size, np.int64)
                yield Curve(place.name, path, kind, metric, steps, scores, episodes, remark=remark)
