"""BenchMARL: ``<experiment>/<experiment>.json``, nested as marl-eval has it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged
from surefoot.logs.marl_json import is_marl_json, read_marl_json

DESCRIPTION = "BenchMARL's experiments (<experiment>/<experiment>.json): evaluations, in frames"
CONTAINS = ("marl_eval", "tensorboard", "wandb", "rliable")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A JSON of marl-eval's layout that has the name of its folder."""
    return [
        Place(below(root, path.with_suffix("")), (path,))
        for path in files
        if path.stem == path.parent.name and is_marl_json(path)
    ]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Lists of the episodes of an evaluation, of deterministic actions by default."""
    return Logged("BenchMARL", "mean", deterministic=True, counted=True)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of evaluation. What the file calls absolute metrics is the largest single episode of any evaluation,
    which is no score of a policy, so it is never read."""
    for curve in read_marl_json(place, place.paths[0], root, ("return",), asked, notes):
        if curve.kind == "eval":
            yield curve
