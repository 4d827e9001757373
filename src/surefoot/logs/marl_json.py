"""The nested JSON of marl-eval: environment, task, algorithm, run, then ``step_<i>`` with lists of episodes."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from surefoot.build.errors import InputError
from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics
from surefoot.logs.data_files import head, read_json
from surefoot.logs.listing import below

_ABSOLUTE = "absolute_metrics"
_STEP = "step_count"
_MARKS = (b'"step_count"', b'"absolute_metrics"')


class _Run(NamedTuple):
    environment: str
    algorithm: str
    run: str
    logged: Mapping[str, Any]


def is_marl_json(path: Path) -> bool:
    """Whether a file is of this layout, by its first bytes."""
    return path.suffix == ".json" and head(path).lstrip()[:1] == b"{" and any(mark in head(path) for mark in _MARKS)


def read_marl_json(
    place: Place, path: Path, root: Path, returns: Sequence[str], asked: Sequence[str] | None, notes: Notes
) -> Iterator[Curve]:
    """The curves of evaluation of every run of a file, and the absolute metrics, as one point at the last step.

    Parameters
    ----------
    returns : names of metrics that are returns; the case of letters does not matter
    """
    content = read_json(path, below(root, path), notes)
    if content is None:
        return
    for run in _runs(content, path):
        told = {"algorithm": run.algorithm, "environment": run.environment, "run": run.run}
        steps = [value for key, value in run.logged.items() if key.startswith("step_") and isinstance(value, Mapping)]
        last = max((float(step[_STEP]) for step in steps if _STEP in step), default=0.0)
        absolute = run.logged.get(_ABSOLUTE)
        for kind, rows in (("eval", steps), ("absolute", [absolute] if isinstance(absolute, Mapping) else [])):
            available = {key.lower(): key for row in rows for key, value in row.items() if isinstance(value, list)}
            lower = None if asked is None else [name.lower() for name in asked]
            for metric, _ in chosen_metrics(available, lower, {kind: [name.lower() for name in returns]}, notes):
                there = [row for row in rows if available[metric] in row and row[available[metric]]]
                values = [np.asarray(row[available[metric]], np.float64) for row in there]
                yield Curve(
                    f"{place.name}/{run.environment}/{run.algorithm}/{run.run}",
                    path,
                    kind,
                    metric,
                    np.array([float(row.get(_STEP, last)) for row in there]),
                    np.array([value.mean() for value in values]),
                    np.array([value.size for value in values], np.int64),
                    told,
                )


def _runs(content: object, path: Path) -> Iterator[_Run]:
    for environment, tasks in _items(content, path):
        for task, algorithms in _items(tasks, path):
            for algorithm, runs in _items(algorithms, path):
                for run, logged in _items(runs, path):
                    yield _Run(f"{environment}/{task}", algorithm, run, dict(_items(logged, path)))


def _items(found: object, path: Path) -> Iterator[tuple[str, Any]]:
    if not isinstance(found, Mapping):
        what = "its levels are not environment, task, algorithm, run, step"
        raise InputError(str(path), what, "JSON as marl-eval reads it")
    yield from found.items()
