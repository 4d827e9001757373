"""CleanRL: event files in folders ``<environment>__<experiment>__<seed>__<time>``."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.formats import tensorboard
from surefoot.logs.logged import Logged

DESCRIPTION = "CleanRL's folders (<environment>__<experiment>__<seed>__<time>/ with event files)"
CONTAINS = ("tensorboard",)
_NAMED = re.compile(r"(?P<environment>[^/]+)__(?P<algorithm>[^/]+)__(?P<run>-?\d+)__\d{9,}")
_EVALUATION = "eval/episodic_return"
_TRAINING = "charts/episodic_return"


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with event files whose name has these four parts, split from the right."""
    return [place for place in tensorboard.recognize(root, files) if _NAMED.fullmatch(_folder(place))]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Single episodes of training; after it, episodes of evaluation, by a policy that is stochastic in some scripts."""
    return Logged("CleanRL", "mean", counted=True) if kind == "eval" else Logged("CleanRL", "episode")


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of the event files.

    The hyperparameters that are logged say what the folder's name cannot: an environment with a slash in its name.
    Evaluation is logged with the number of the episode in the place of the step: it takes place after training, so its
    step is the last one of training.
    """
    match = _NAMED.fullmatch(_folder(place))
    told = match.groupdict() if match else {}
    curves = list(tensorboard.read(place, root, asked, notes))
    last = max((curve.steps.max() for curve in curves if curve.metric != _EVALUATION), default=None)
    for curve in curves:
        logged = {"environment": "env_id", "algorithm": "exp_name", "run": "seed"}
        names = told | {name: curve.config[key] for name, key in logged.items() if key in curve.config}
        steps = curve.steps
        if curve.metric == _EVALUATION:
            end = last if last is not None else _end_of_training(place, root, notes)
            steps = np.full(steps.size, end)
        yield curve._replace(told=names, steps=steps)


def _end_of_training(place: Place, root: Path, notes: Notes) -> float:
    """The last step of the returns of training, where evaluation alone is asked for."""
    for curve in tensorboard.read(place, root, [_TRAINING], notes):
        return float(curve.steps.max())
    notes.remark(f"{place.name}: no {_TRAINING} says how long training was; its evaluation is given step 0")
    return 0.0


def _folder(place: Place) -> str:
    return place.paths[0].parent.name
