"""Logs of training libraries: Acme, Dopamine, RLlib and Tune, and marl-eval's JSON.

Acme writes ``<id>/logs/<label>/logs.csv``, one row per logging event of a loop. Dopamine writes pickles
``logs/log_<iteration>``; the newest contains all iterations. A trial of RLlib and Tune is a folder with
`result.json` (JSON lines) and `params.json`. marl-eval, Mava, Stoix and BenchMARL use nested JSON: environment,
task, algorithm, run, then ``step_<i>`` with lists of episodes.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.errors import InputError
from surefoot.runs.logs.account import SECOND_RECORD, Entry
from surefoot.runs.logs.log_files import (
    GOING_ON,
    csv_header,
    head,
    json_lines,
    read_configuration,
    read_csv_log,
    read_json,
    record_log,
)
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import curves_of_episodes, curves_of_rows
from surefoot.runs.logs.metrics import ENVIRONMENT_STEPS, steps_among
from surefoot.runs.logs.run_formats import Logged, run_format
from surefoot.runs.pickled_arrays import read_pickled

_ACME_KINDS = {"evaluator": "eval", "eval": "eval", "eval_loop": "eval", "evaluation": "eval"}
_ACME_KINDS |= {"actor": "train", "train": "train", "train_loop": "train", "environment_loop": "train"}
_ACME_STEPS = ("actor_steps", "train_steps", "learner_steps", "evaluator_steps", "eval_steps")
_ACME_RETURN = "episode_return"


def _recognize_acme(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each run, with one `logs.csv` per label, that is, per loop of the run."""
    logs = [path for path in files if path.name == "logs.csv" and path.parent.name in _ACME_KINDS]
    found: dict[Path, list[Path]] = {}
    for path in logs:
        if _ACME_RETURN in csv_header(path):
            folder = path.parent.parent
            run = folder.parent if folder.name == "logs" and folder != reading.root else folder
            found.setdefault(run, []).append(path)
    return [Place(reading.below(folder), tuple(paths)) for folder, paths in found.items()]


@run_format(
    "acme",
    "Acme's logs (<id>/logs/<label>/logs.csv): returns of the episodes of its loops",
    _recognize_acme,
    contains=("tensorboard",),
    unit=ENVIRONMENT_STEPS,
    steps_by_name=True,
    logged={"": Logged("Acme", "episode")},  # at most one episode per second is logged
)
def read_acme(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield a curve for each loop; only the path names the algorithm and the environment."""
    for path in place.paths:
        rows, undefined = read_csv_log(path, reading)
        axis = next((name for name in _ACME_STEPS if name in rows.columns), None)
        axis = axis if reading.step is None else steps_among(list(rows), reading, str(path))
        if axis is None:
            continue
        is_usual = axis in ("actor_steps", reading.step)
        remark = "" if is_usual else f"steps are taken from the column {axis}, as there is no actor_steps"
        curve = Curve(place.name, path, _ACME_KINDS[path.parent.name], remark=remark)
        yield from curves_of_rows(curve, rows, axis, reading, {curve.kind: (_ACME_RETURN,)}, undefined=undefined)


_LOG = re.compile(r"log_(\d+)")
_ITERATION = re.compile(r"iteration_(\d+)")
_DOPAMINE_RETURNS = {"eval": ("eval_episode_returns",), "train": ("train_episode_returns",)}
_DOPAMINE_LENGTHS = "train_episode_lengths"
_ITERATIONS = "iteration"
"""Value of `Reading.step` for the number of the iteration."""
STEPS_OF_ITERATION = 250_000
"""Agent steps of training per iteration in Dopamine's configurations for Atari."""


@run_format(
    "dopamine",
    "Dopamine's logs (logs/log_<iteration>): returns of the episodes of each iteration",
    # A run is a folder with a subfolder `logs` of files named log_<iteration>.
    lambda reading, files: reading.places([path for path in files if _LOG.fullmatch(path.name)], above="logs"),
    contains=("tensorboard", "rliable"),
    steps_by_name=True,
    # Evaluation explores with a probability of 0.001 by default.
    unit="agent steps",
    logged={
        "eval": Logged("Dopamine", "mean", deterministic=False, counted=True),
        "train": Logged("Dopamine", "mean", counted=True),
    },
)
def read_dopamine(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the mean over the episodes of each iteration, from the newest complete file."""
    iterations, path = _newest(place, reading)
    left = {entry.file for entry in reading.entries}
    older = [other for other in place.paths if other != path and reading.below(other) not in left]
    reading.entries += [
        Entry(reading.below(one), SECOND_RECORD, "an older log of the run", place.name) for one in older
    ]
    numbered = {int(match[1]): logged for key, logged in iterations if (match := _ITERATION.fullmatch(key))}
    steps = _steps_of_iterations(numbered, reading, path)
    rows = [(steps[number], numbered[number]) for number in sorted(numbered)]
    remark = f"an iteration is counted as {STEPS_OF_ITERATION:,} agent steps, as in Dopamine's Atari configurations"
    curve = Curve(place.name, path, remark=remark if reading.step is None else "")
    yield from curves_of_episodes(curve, rows, reading, _DOPAMINE_RETURNS)


def _steps_of_iterations(iterations: Mapping[int, Mapping[str, Any]], reading: Reading, path: Path) -> dict[int, float]:
    """Return the steps at the end of each iteration, from the requested counter if there is one.

    Raises
    ------
    InputError
        if the logs lack the requested counter
    """
    if reading.step is None:
        return {number: (number + 1.0) * STEPS_OF_ITERATION for number in iterations}
    lengths = [iterations[number].get(_DOPAMINE_LENGTHS) for number in sorted(iterations)]
    counters = [_ITERATIONS, *([_DOPAMINE_LENGTHS] if None not in lengths else [])]
    if steps_among(counters, reading, str(path)) == _ITERATIONS:
        return {number: float(number) for number in iterations}
    trained: list[float] = np.cumsum([sum(of_one or ()) for of_one in lengths]).tolist()
    return dict(zip(sorted(iterations), trained, strict=True))


def _newest(place: Place, reading: Reading) -> tuple[list[tuple[str, Mapping[str, list[float]]]], Path]:
    """Return (iterations by name, path) of the newest complete file."""
    *newer, oldest = sorted(place.paths, key=lambda path: int(path.name.rpartition("_")[2]), reverse=True)
    for path in newer:
        try:
            return list(read_pickled(path).items()), path
        except InputError as error:
            reading.leave_out(
                path, "damaged", f"{reading.below(path)}: {error.what}, {GOING_ON}; the previous file is read instead"
            )
    return list(read_pickled(oldest).items()), oldest


_RLLIB_RETURNS = {
    "eval": (
        "evaluation/env_runners/episode_return_mean",
        "evaluation/episode_reward_mean",
        "evaluation/sampler_results/episode_reward_mean",
    ),
    "train": ("env_runners/episode_return_mean", "episode_reward_mean", "sampler_results/episode_reward_mean"),
}
_RLLIB_STEPS = ("num_env_steps_sampled_lifetime", "num_env_steps_sampled", "timesteps_total", "agent_timesteps_total")


@run_format(
    "rllib",
    "RLlib's and Tune's trials (result.json): mean returns of each iteration",
    # A trial is a folder with a result.json whose lines count iterations. `progress.csv` next to it is not read: its
    # columns are those of the first line, before the first evaluation.
    lambda reading, files: reading.places(
        [path for path in files if path.name == "result.json" and b'"training_iteration"' in head(path)]
    ),
    contains=("tensorboard", "stable_baselines3_progress", "rliable"),
    steps_by_name=True,
    # Running means over `metrics_num_episodes_for_smoothing`, by default 100.
    unit=ENVIRONMENT_STEPS,
    logged={"eval": Logged("RLlib", "mean"), "train": Logged("RLlib", "running_mean", episodes=100)},
)
def read_rllib(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of a trial; iterations without a complete episode log NaN and have no score."""
    (path,) = place.paths
    config = read_configuration(path.with_name("params.json"))
    lines = []
    for line in json_lines(path, reading):
        of_line = line.pop("config", None)  # large, and repeated in each line
        config = config or of_line or {}
        lines.append(line)
    table, undefined = record_log(_iterations(lines), str(path))
    axis = next((name for name in _RLLIB_STEPS if name in table), None)
    axis = axis if reading.step is None else steps_among(list(table), reading, str(path))
    if axis is not None:
        curve = Curve(place.name, path, labels=_labels_of_trial(place, lines, config), config=config)
        yield from curves_of_rows(curve, table, axis, reading, _RLLIB_RETURNS, undefined=undefined)


def _iterations(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a trial without repeated evaluations.

    Some versions attach the last evaluation to every line until the next.
    """
    evaluation = None
    rows = []
    for line in lines:
        is_repeated = "evaluation" in line and line["evaluation"] == evaluation
        evaluation = line.get("evaluation", evaluation)
        rows.append({name: value for name, value in line.items() if name != "evaluation" or not is_repeated})
    return rows


def _labels_of_trial(place: Place, lines: Sequence[Mapping[str, Any]], config: Mapping[str, Any]) -> dict[str, str]:
    """Return the algorithm in the name of a trial, and the trial's identifier as the run if the seed is unknown.

    Tune names a trial ``PPO_CartPole-v1_3a1b4_00000_0_...``.
    """
    algorithm, named, _ = place.name.rpartition("/")[2].partition(f"_{config.get('env')}_")
    labels = {"algorithm": algorithm} if named and algorithm else {}
    if config.get("seed") is None:
        labels["run"] = str(next((line["trial_id"] for line in lines if line.get("trial_id")), place.name))
    return labels


_MARL_RETURNS = ("mean_episode_return", "episode_return", "return", "episode_returns")
_ABSOLUTE = "absolute_metrics"
_STEP = "step_count"
_MARKS = (b'"step_count"', b'"absolute_metrics"')


def _is_nested(path: Path) -> bool:
    """Return True if a file has marl-eval's layout, judged by its first bytes."""
    return path.suffix == ".json" and head(path).lstrip()[:1] == b"{" and any(mark in head(path) for mark in _MARKS)


@run_format(
    "marl_eval",
    "JSON of marl-eval, Mava and Stoix (environment, task, algorithm, run, step): evaluations",
    # Matches every file of this layout, with one run or many.
    lambda reading, files: reading.single_places(
        path for path in files if not path.name.startswith("wandb") and _is_nested(path)
    ),
    contains=("tensorboard", "rliable"),
    steps_by_name=True,
    unit=ENVIRONMENT_STEPS,
    logged={"": Logged(None, "mean", counted=True)},  # written by several tools
)
def read_marl_eval(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the evaluation curves, and absolute metrics: final evaluations of the selected best policy."""
    return _curves_of_json(place, reading, _MARL_RETURNS)


@run_format(
    "benchmarl",
    "BenchMARL's experiments (<experiment>/<experiment>.json): evaluations, in frames",
    # Matches a file with this layout whose name equals that of its folder.
    lambda reading, files: reading.single_places(
        path for path in files if path.stem == path.parent.name and _is_nested(path)
    ),
    contains=("marl_eval", "tensorboard", "wandb", "rliable"),
    steps_by_name=True,
    # Actions are deterministic by default.
    unit="frames",
    logged={"eval": Logged("BenchMARL", "mean", deterministic=True, counted=True)},
)
def read_benchmarl(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the evaluation curves.

    Absolute metrics are not read: in these files they are the largest single episode of any evaluation, not a score
    of a policy.
    """
    return (curve for curve in _curves_of_json(place, reading, ("return",)) if curve.kind == "eval")


def _curves_of_json(place: Place, reading: Reading, returns: Sequence[str]) -> Iterator[Curve]:
    """Yield the curves of every run in a file.

    Parameters
    ----------
    returns : names of metrics that are returns
    """
    (path,) = place.paths
    content = read_json(path, reading)
    for (environment, task, algorithm, run), logged in _levels(content, path, 4) if content is not None else ():
        names = {"algorithm": algorithm, "environment": f"{environment}/{task}", "run": run}
        curve = Curve("/".join([place.name, environment, task, algorithm, run]), path, labels=names)
        evaluations = {key: value for (key,), value in _levels(logged, path, 1)}
        found = list(_curves_of_run(curve, evaluations, reading, returns))
        yield from found
        if not any(len(one.points) for one in found):
            config = {("seed" if name == "run" else name): value for name, value in names.items()}
            reading.run_without_score(curve._replace(config=config))


def _curves_of_run(
    curve: Curve, logged: Mapping[str, Any], reading: Reading, returns: Sequence[str]
) -> Iterator[Curve]:
    """Yield the evaluation curves of a run, and its absolute metrics as a single point at the last step.

    Parameters
    ----------
    logged : evaluations by key: ``step_<i>``, or absolute_metrics, which have no step
    returns : names of metrics that are returns
    """
    evaluations = [row for key, row in logged.items() if key.startswith("step_") and isinstance(row, Mapping)]
    axis = _STEP if reading.step is None else _counter_of_json(evaluations, reading, curve.source)
    steps = [_single_number(row.get(axis)) for row in evaluations]
    last = max((step for step in steps if not math.isnan(step)), default=0.0)
    absolute = [row for key, row in logged.items() if key == _ABSOLUTE and isinstance(row, Mapping)]
    for kind, rows, of_rows in (("eval", evaluations, steps), ("absolute", absolute, [last] * len(absolute))):
        scores = [{key: value for key, value in row.items() if key not in (_STEP, axis)} for row in rows]
        together = list(zip(of_rows, scores, strict=True))
        yield from curves_of_episodes(curve._replace(kind=kind), together, reading, {kind: returns})


def _counter_of_json(evaluations: Sequence[Mapping[str, Any]], reading: Reading, path: Path) -> str:
    """Return the name of the requested counter, which must have a single number in every evaluation."""
    names = dict.fromkeys(name for row in evaluations for name in row)
    counters = [name for name in names if not any(math.isnan(_single_number(row.get(name))) for row in evaluations)]
    return steps_among(counters, reading, str(path)) if evaluations else _STEP


def _single_number(value: object) -> float:
    """Return a number, or the only number in a list, as a float; NaN for anything else."""
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    return float(value) if isinstance(value, int | float) else math.nan


def _levels(found: object, path: Path, depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (keys, value) for all values at the given depth of nested mappings."""
    if not isinstance(found, Mapping):
        what = "its levels are not environment, task, algorithm, run, step"
        raise InputError(str(path), what, "use JSON that marl-eval can read")
    for key, value in found.items():
        for keys, inner in _levels(value, path, depth - 1) if depth > 1 else [((), value)]:
            yield (key, *keys), inner
