"""marl-eval, Mava and Stoix, and BenchMARL: nested JSON of environment, task, algorithm, run, then ``step_<i>`` with
lists of episodes."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError
from surefoot.logs.curves import Curve, Place, Reading, curves_of_episodes
from surefoot.logs.files import head, read_json
from surefoot.logs.run_formats import Logged, run_format

_RETURNS = ("mean_episode_return", "episode_return", "return", "episode_returns")
_ABSOLUTE = "absolute_metrics"
_STEP = "step_count"
_MARKS = (b'"step_count"', b'"absolute_metrics"')


def _is_nested(path: Path) -> bool:
    """Whether a file is of this layout, by its first bytes."""
    return path.suffix == ".json" and head(path).lstrip()[:1] == b"{" and any(mark in head(path) for mark in _MARKS)


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Every file of this layout, which holds one run or many."""
    return reading.single_places(path for path in files if not path.name.startswith("wandb") and _is_nested(path))


@run_format(
    "marl_eval",
    "JSON of marl-eval, Mava and Stoix (environment, task, algorithm, run, step): evaluations",
    _recognize,
    contains=("tensorboard", "rliable"),
    logged={"": Logged(None, "mean", counted=True)},  # by several tools
)
def read_marl_eval(place: Place, reading: Reading) -> Iterator[Curve]:
    """The curves of evaluation, and the absolute metrics: those of the selected best policy, evaluated again."""
    return _curves(place, reading, _RETURNS)


@run_format(
    "benchmarl",
    "BenchMARL's experiments (<experiment>/<experiment>.json): evaluations, in frames",
    # A file of this layout that has the name of its folder.
    lambda reading, files: reading.single_places(
        path for path in files if path.stem == path.parent.name and _is_nested(path)
    ),
    contains=("marl_eval", "tensorboard", "wandb", "rliable"),
    # Of deterministic actions by default.
    logged={"eval": Logged("BenchMARL", "mean", deterministic=True, counted=True)},
)
def read_benchmarl(place: Place, reading: Reading) -> Iterator[Curve]:
    """The curves of evaluation. What the file calls absolute metrics is the largest single episode of any evaluation,
    which is no score of a policy, so it is never read."""
    return (curve for curve in _curves(place, reading, ("return",)) if curve.kind == "eval")


def _curves(place: Place, reading: Reading, returns: Sequence[str]) -> Iterator[Curve]:
    """The curves of evaluation of every run of a file, and the absolute metrics, as one point at the last step.

    Parameters
    ----------
    returns : names of metrics that are returns
    """
    (path,) = place.paths
    content = read_json(path, reading)
    for labels, logged in _runs(content, path) if content is not None else ():
        evaluations = [row for key, row in logged.items() if key.startswith("step_") and isinstance(row, Mapping)]
        last = max((float(row[_STEP]) for row in evaluations if _STEP in row), default=0.0)
        absolute = logged.get(_ABSOLUTE)
        name = "/".join([place.name, labels["environment"], labels["algorithm"], labels["run"]])
        for kind, logs in (("eval", evaluations), ("absolute", [absolute] if isinstance(absolute, Mapping) else [])):
            rows = [(float(row.get(_STEP, last)), {key: row[key] for key in row if key != _STEP}) for row in logs]
            curve = Curve(name, path, kind, labels=labels)
            yield from curves_of_episodes(curve, rows, reading, {kind: returns})


def _runs(content: object, path: Path) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """(names, what is logged) of each run."""
    for (environment, task, algorithm, run), logged in _levels(content, path, 4):
        names = {"algorithm": algorithm, "environment": f"{environment}/{task}", "run": run}
        yield names, {key: value for (key,), value in _levels(logged, path, 1)}


def _levels(found: object, path: Path, depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(keys, value) of mappings in one another."""
    if not isinstance(found, Mapping):
        what = "its levels are not environment, task, algorithm, run, step"
        raise InputError(str(path), what, "JSON as marl-eval reads it")
    for key, value in found.items():
        for keys, inner in _levels(value, path, depth - 1) if depth > 1 else [((), value)]:
            yield (key, *keys), inner
