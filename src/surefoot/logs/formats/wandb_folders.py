"""Weights & Biases: the folders that it writes for each run, offline too (``wandb/offline-run-*/run-*.wandb``)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.formats.wandb import history
from surefoot.logs.listing import below
from surefoot.logs.wandb_files import is_wandb_file, read_wandb_file

DESCRIPTION = "Weights & Biases' folders of runs (wandb/run-*, wandb/offline-run-*)"
CONTAINS = ("run_files", "run_arrays")
FALLBACK = STEPS_BY_NAME = True  # beside another format, they are a second record of its runs


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with a file of its own kind."""
    return [Place(below(root, path.parent), (path,)) for path in files if is_wandb_file(path)]


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of a run, which goes by the name that the page shows."""
    (path,) = place.paths
    run = read_wandb_file(path, below(root, path), notes)
    if not run.rows:
        return
    for curve in history(place._replace(name=run.name), pd.DataFrame(run.rows), run.config, asked, notes, whole=True):
        undefined = sum(row.get(curve.metric, 0) != row.get(curve.metric, 0) for row in run.rows)  # NaN is not itself
        if undefined:
            notes.remark(f"{curve.place}: {curve.metric} is NaN in rows that are left out ({undefined:,})")
        yield curve
