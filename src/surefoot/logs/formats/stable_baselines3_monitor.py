"""Stable-Baselines3's `Monitor`: every file of a folder is a worker of one run, and every line a complete episode."""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from surefoot.build.errors import InputError
from surefoot.build.given_files import read_text
from surefoot.logs.curves import Curve, Floats, Notes, Place
from surefoot.logs.data_files import whole_lines
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "Stable-Baselines3's monitor files (*monitor.csv): returns of complete training episodes"
CONTAINS: tuple[str, ...] = ()
_RETURN = "r"
_TRUTHS = {"True": "1", "False": "0"}


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A run is a folder with monitor files, whose numbers are those of workers and no seeds."""
    found: dict[Path, list[Path]] = {}
    for path in files:
        if path.name.endswith("monitor.csv"):
            found.setdefault(path.parent, []).append(path)
    return [Place(below(root, folder), tuple(paths)) for folder, paths in found.items()]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Complete episodes of training, one a line."""
    return Logged("Stable-Baselines3", "episode")


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The episodes of all workers in the order in which they ended; the step of one is the sum of all lengths up to it.

    Where a file was appended to (`override_existing=False`), its times begin again: the training is taken to go on.
    """
    parts: list[_Segment] = []
    for path in place.paths:
        parts += _segments(path, below(root, path), notes)
    if not parts:
        notes.remark(f"{below(root, place.paths[0])}: no complete episode yet, so it has no training returns")
        return
    trainings = np.concatenate([np.full(part.ended.size, part.number) for part in parts])
    if trainings.max() > 0:
        notes.remark(f"{place.name}: its monitor files were appended to; the training is taken to have gone on")
    order = np.lexsort((np.concatenate([part.ended for part in parts]), trainings))
    steps = np.concatenate([part.columns["l"] for part in parts])[order].cumsum()
    metrics = set.intersection(*(set(part.columns) for part in parts))
    notes.metrics.update(metrics)
    environments = {part.environment for part in parts}
    told = {"environment": environments.pop()} if len(environments) == 1 and environments != {"None"} else {}
    for metric in (_RETURN,) if asked is None else asked:
        if metric in metrics:
            scores = np.concatenate([part.columns[metric] for part in parts])[order]
            episodes = np.ones(steps.size, np.int64)
            yield Curve(place.name, place.paths[0], "train", metric, steps, scores, episodes, told)


class _Segment(NamedTuple):
    """Episodes that one training wrote to a file.

    number : of the training, from 0, by what was appended
    environment : as the header names it
    ended : float64[episodes], when each ended, in seconds since the epoch
    columns : float64[episodes] of each column of numbers
    """

    number: int
    environment: str
    ended: Floats
    columns: dict[str, Floats]


def _segments(path: Path, shown: str, notes: Notes) -> Iterator[_Segment]:
    """What each training wrote to the file: a new one begins at another header, or where times go back."""
    text = whole_lines(read_text(path, str(path)), shown, notes)
    if not text.strip():
        return
    if not text.startswith("#"):
        raise InputError(str(path), "its first line is no header such as #{...}", "is it a monitor file?")
    number = 0
    for part in ("\n" + text).split("\n#")[1:]:
        line, _, body = part.partition("\n")
        try:
            header = json.loads(line)
        except ValueError:
            raise InputError(str(path), f"its header is not JSON: {line[:80]}", "is it a monitor file?") from None
        names, *episodes = [row for row in csv.reader(body.splitlines()) if row] or [[]]
        if not episodes:
            continue
        columns = dict(_columns(names, episodes, path))
        times = columns.pop("t")
        for rows in np.split(np.arange(times.size), np.flatnonzero(np.diff(times) < 0) + 1):
            ended = times[rows] + float(header.get("t_start") or 0.0)
            of_rows = {name: values[rows] for name, values in columns.items()}
            yield _Segment(number, str(header.get("env_id")), ended, of_rows)
            number += 1


def _columns(names: Sequence[str], episodes: Sequence[Sequence[str]], path: Path) -> Iterator[tuple[str, Floats]]:
    """(name, values) of the columns of numbers; those that a user logs beside may be texts."""
    if missing := {"r", "l", "t"} - set(names):
        raise InputError(str(path), f"no column {min(missing)}", "monitor files have the columns r, l, t")
    if unlike := next((row for row in episodes if len(row) != len(names)), None):
        what = f"a line has {len(unlike)} fields and the header {len(names)}: {','.join(unlike)[:80]}"
        raise InputError(str(path), what, "is the file whole?")
    for name, values in zip(names, zip(*episodes, strict=True), strict=True):
        try:
            yield name, np.array([_TRUTHS.get(value, value) for value in values], np.float64)
        except ValueError:
            if name in ("r", "l", "t"):
                what = f"the column {name} has values that are no numbers"
                raise InputError(str(path), what, "is the file whole?") from None
