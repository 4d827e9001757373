"""RLlib and Tune: a trial is a folder with `result.json`, one JSON object a line, and `params.json`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.logs.curves import Curve, Place, Reading, curves_of_rows
from surefoot.logs.files import head, json_lines, read_configuration
from surefoot.logs.run_formats import Logged, run_format

_RETURNS = {
    "eval": (
        "evaluation/env_runners/episode_return_mean",
        "evaluation/episode_reward_mean",
        "evaluation/sampler_results/episode_reward_mean",
    ),
    "train": ("env_runners/episode_return_mean", "episode_reward_mean", "sampler_results/episode_reward_mean"),
}
_STEPS = ("num_env_steps_sampled_lifetime", "num_env_steps_sampled", "timesteps_total", "agent_timesteps_total")


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """A trial is a folder with a result.json whose lines count iterations.

    `progress.csv` beside it is not read: its columns are those of the first line, before the first evaluation.
    """
    return reading.places(
        [path for path in files if path.name == "result.json" and b'"training_iteration"' in head(path)]
    )


def _logged(kind: str, metric: str, environment: str) -> Logged:
    """Running means of training over `metrics_num_episodes_for_smoothing`, by default 100; means of evaluations."""
    return Logged("RLlib", "mean") if kind == "eval" else Logged("RLlib", "running_mean", episodes=100)


@run_format(
    "rllib",
    "RLlib's and Tune's trials (result.json): mean returns of each iteration",
    _recognize,
    contains=("tensorboard", "stable_baselines3_progress", "rliable"),
    logged=_logged,
)
def read_rllib(place: Place, reading: Reading) -> Iterator[Curve]:
    """The curves of a trial. Iterations without a complete episode say NaN, and have no score."""
    (path,) = place.paths
    config: Mapping[str, Any] = read_configuration(path.with_name("params.json"))
    trial = evaluation = None
    rows = []
    for line in json_lines(path, reading):
        config = config or line.get("config") or {}
        trial = trial or line.get("trial_id")
        if "evaluation" in line and line["evaluation"] == evaluation:
            del line["evaluation"]  # some versions attach the last one to every line until the next
        evaluation = line.get("evaluation", evaluation)
        rows.append({name: value for name, value in line.items() if name != "config"})
    told = {"algorithm": algorithm} if (algorithm := _algorithm(config, place)) else {}
    if config.get("seed") is None:
        told["run"] = str(trial or place.name)
    table = pd.json_normalize(rows, sep="/")
    axis = next((name for name in _STEPS if name in table), None)
    if axis is not None:
        curve = Curve(place.name, path, "", "", told=told, config=config)
        yield from curves_of_rows(curve, table, axis, reading, _RETURNS)


def _algorithm(config: Mapping[str, Any], place: Place) -> str | None:
    """From the name that Tune gives to trials: ``PPO_CartPole-v1_3a1b4_00000_0_...``."""
    environment = config.get("env")
    before, found, _ = place.name.rpartition("/")[2].partition(f"_{environment}_")
    return before if found and before else None
