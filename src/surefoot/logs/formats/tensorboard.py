"""Any folder of TensorBoard: a run is a folder with event files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.logs.curves import RETURNS, Curve, Notes, Place, chosen_metrics
from surefoot.logs.event_files import configuration_of, is_event_file, read_events, tags_of
from surefoot.logs.listing import below

DESCRIPTION = "TensorBoard's event files: scalars that any tool logged, one run a folder"
CONTAINS: tuple[str, ...] = ()
BESIDE = ("stable_baselines3_monitor",)


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with event files."""
    found: dict[Path, list[Path]] = {}
    for path in files:
        if is_event_file(path):
            found.setdefault(path.parent, []).append(path)
    return [Place(below(root, folder), tuple(paths)) for folder, paths in found.items()]


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The scalars under the tags that are asked for; by default under those that tools log returns under."""
    tags = asked if asked is not None else [tag for known in RETURNS.values() for tag in known]
    scalars, parameters = read_events(place.paths, root, tags, notes)
    if not scalars:
        notes.metrics.update(tags_of(place.paths[:1], root, notes))
    for metric, kind in chosen_metrics(scalars, asked, RETURNS, notes):
        steps, scores = scalars[metric]
        config = configuration_of(parameters)
        yield Curve(place.name, place.paths[0], kind, metric, steps, scores, scalars[metric].episodes, config=config)
