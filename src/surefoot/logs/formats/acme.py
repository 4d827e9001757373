"""Acme: ``<id>/logs/<label>/logs.csv``, one row for each time a loop logs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.logs.curves import Curve, Place, Reading, curves_of_rows
from surefoot.logs.files import csv_header, read_csv
from surefoot.logs.run_formats import Logged, run_format

_KINDS = {"evaluator": "eval", "eval": "eval", "eval_loop": "eval", "evaluation": "eval"}
_KINDS |= {"actor": "train", "train": "train", "train_loop": "train", "environment_loop": "train"}
_STEPS = ("actor_steps", "train_steps", "learner_steps", "evaluator_steps", "eval_steps")
_RETURN = "episode_return"


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a folder `logs` of such files; each label is a loop of the same run."""
    logs = [path for path in files if path.name == "logs.csv" and path.parent.name in _KINDS]
    found: dict[Path, list[Path]] = {}
    for path in logs:
        if _RETURN in csv_header(path):
            folder = path.parent.parent
            run = folder.parent if folder.name == "logs" and folder != reading.root else folder
            found.setdefault(run, []).append(path)
    return [Place(reading.below(folder), tuple(paths)) for folder, paths in found.items()]


@run_format(
    "acme",
    "Acme's logs (<id>/logs/<label>/logs.csv): returns of the episodes of its loops",
    _recognize,
    contains=("tensorboard",),
    logged=lambda kind, metric, environment: Logged("Acme", "episode"),  # of which at most one a second is logged
)
def read_acme(place: Place, reading: Reading) -> Iterator[Curve]:
    """A curve for each loop; the algorithm and the environment stand in the path alone."""
    for path in place.paths:
        rows = read_csv(path, reading)
        axis = next((name for name in _STEPS if name in rows.columns), None)
        if axis is None:
            continue
        remark = "" if axis == "actor_steps" else f"steps are those of the column {axis}, as there is no actor_steps"
        kind = _KINDS[path.parent.name]
        curve = Curve(place.name, path, kind, "", remark=remark)
        yield from curves_of_rows(curve, rows, axis, reading, {kind: (_RETURN,)})
