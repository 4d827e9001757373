"""Tianshou: event files with the returns of its collectors."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics
from surefoot.logs.event_files import holds_any, read_events
from surefoot.logs.formats import tensorboard
from surefoot.logs.logged import Logged

DESCRIPTION = "Tianshou's event files: returns of its test and training collectors"
CONTAINS = ("tensorboard",)
_RETURNS = {
    "eval": ("test/returns_stat/mean", "test/reward"),
    "train": ("training/returns_stat/mean", "train/returns_stat/mean", "train/reward"),
}
_MARKS = ("test/returns_stat/mean", "training/returns_stat/mean", "test/env_step", "test/reward")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with event files that begin with Tianshou's tags."""
    places = tensorboard.recognize(root, files)
    return [place for place in places if any(holds_any(path, _MARKS) for path in place.paths)]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Means over the episodes of a collector, whose number is not logged."""
    return Logged("Tianshou", "mean")


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of both collectors; steps are those of the environment."""
    tags = asked if asked is not None else [tag for names in _RETURNS.values() for tag in names]
    scalars, _ = read_events(place.paths, root, tags, notes)
    for metric, kind in chosen_metrics(scalars, asked, _RETURNS, notes):
        of_tag = scalars[metric]
        yield Curve(place.name, place.paths[0], kind, metric, of_tag.steps, of_tag.scores, of_tag.episodes)
