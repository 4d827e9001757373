"""marl-eval, Mava and Stoix: nested JSON of evaluations, with lists of the episodes of each."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged
from surefoot.logs.marl_json import is_marl_json, read_marl_json

DESCRIPTION = "JSON of marl-eval, Mava and Stoix (environment, task, algorithm, run, step): evaluations"
CONTAINS = ("tensorboard", "rliable")
_RETURNS = ("mean_episode_return", "episode_return", "return", "episode_returns")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """Every file of this layout, which holds one run or many."""
    return [
        Place(below(root, path.with_suffix("")), (path,))
        for path in files
        if not path.name.startswith("wandb") and is_marl_json(path)
    ]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Lists of the episodes of an evaluation, by several tools."""
    return Logged(None, "mean", counted=True)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of evaluation, and the absolute metrics: those of the selected best policy, evaluated again."""
    yield from read_marl_json(place, place.paths[0], root, _RETURNS, asked, notes)
