"""LeRobot: `eval_info.json`, which `lerobot-eval` writes of one policy, with the outcomes of all rollouts of a task."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from surefoot.build.errors import InputError
from surefoot.logs.curves import Curve, Place, Reading
from surefoot.logs.files import head, read_json
from surefoot.logs.run_formats import Logged, run_format

_FILE = "eval_info.json"
_METRIC = "successes"
_HINT = "an eval_info.json of lerobot-eval since tasks are in groups: per_task has task_group, task_id, metrics"


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A policy's evaluation is a folder with an eval_info.json that has its tasks."""
    return reading.places([path for path in files if path.name == _FILE and b'"per_task"' in head(path)])


@run_format(
    "lerobot",
    "LeRobot's evaluations (eval_info.json): the share of a policy's rollouts that succeed, of each task",
    _recognize,
    logged=lambda kind, metric, environment: Logged("LeRobot", "mean", counted=True),
)
def read_lerobot(place: Place, reading: Reading) -> Iterator[Curve]:
    """The success rate of each task, of so many episodes; or the mean of sum_rewards or max_rewards.

    The policy has the name of its folder and is one run: its rollouts are no trainings.
    """
    (path,) = place.paths
    content = read_json(path, reading)
    if content is None:
        return
    for task in _tasks(content, path):
        metrics = {name: values for name, values in task["metrics"].items() if _is_numeric(values)}
        reading.metrics.update(metrics)
        told = {"algorithm": place.name.rpartition("/")[2], "run": "0"}
        told["environment"] = f"{task.get('task_group', 'task')}/{task.get('task_id', 0)}"
        for metric in [name for name in reading.asked or [_METRIC] if name in metrics]:
            values = np.array(metrics[metric], np.float64)
            count = np.array([values.size], np.int64)
            yield Curve(place.name, path, "eval", metric, scores=values.mean(keepdims=True), episodes=count, told=told)


def _tasks(content: object, path: Path) -> Sequence[Mapping[str, Mapping[str, object]]]:
    tasks = content.get("per_task") if isinstance(content, Mapping) else None
    whole = isinstance(tasks, list) and all(
        isinstance(task, Mapping) and isinstance(task.get("metrics"), Mapping) for task in tasks
    )
    if not whole:
        raise InputError(str(path), "per_task is no list of tasks with metrics", _HINT)
    return tasks or []


def _is_numeric(values: object) -> bool:
    """Whether it is a list of outcomes or rewards, with at least one."""
    return isinstance(values, list) and bool(values) and all(isinstance(value, bool | int | float) for value in values)
