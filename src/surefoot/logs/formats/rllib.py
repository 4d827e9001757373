"""RLlib and Tune: a trial is a folder with `result.json`, one JSON object a line, and `params.json`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics, kept_rows
from surefoot.logs.data_files import head, json_lines, read_configuration
from surefoot.logs.listing import below
from surefoot.logs.logged import Logged

DESCRIPTION = "RLlib's and Tune's trials (result.json): mean returns of each iteration"
CONTAINS = ("tensorboard", "stable_baselines3_progress", "rliable")
_RETURNS = {
    "eval": (
        "evaluation/env_runners/episode_return_mean",
        "evaluation/episode_reward_mean",
        "evaluation/sampler_results/episode_reward_mean",
    ),
    "train": ("env_runners/episode_return_mean", "episode_reward_mean", "sampler_results/episode_reward_mean"),
}
_STEPS = ("num_env_steps_sampled_lifetime", "num_env_steps_sampled", "timesteps_total", "agent_timesteps_total")


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A trial is a folder with a result.json whose lines count iterations.

    `progress.csv` beside it is not read: its columns are those of the first line, before the first evaluation.
    """
    return [
        Place(below(root, path.parent), (path,))
        for path in files
        if path.name == "result.json" and b'"training_iteration"' in head(path)
    ]


def logged(kind: str, metric: str, environment: str) -> Logged:
    """Running means of training over `metrics_num_episodes_for_smoothing`, by default 100; means of evaluations."""
    return Logged("RLlib", "mean") if kind == "eval" else Logged("RLlib", "running_mean", episodes=100)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The curves of a trial. Iterations without a complete episode say NaN, and have no score."""
    (path,) = place.paths
    wanted = asked if asked is not None else [name for names in _RETURNS.values() for name in names]
    config: Mapping[str, Any] = read_configuration(path.with_name("params.json"))
    trial = evaluation = None
    steps: list[float] = []
    values: dict[str, list[float]] = {name: [] for name in wanted}
    for line in json_lines(path, below(root, path), notes):
        if "evaluation" in line and line["evaluation"] == evaluation:
            line.pop("evaluation")  # some versions attach the last one to every line until the next
        else:
            evaluation = line.get("evaluation", evaluation)
        config = config or line.get("config") or {}
        trial = trial or line.get("trial_id")
        flat = dict(_flat(line, "config"))
        notes.metrics.update(flat)
        step = next((flat[name] for name in _STEPS if name in flat), None)
        if step is not None:
            steps.append(step)
            for metric in wanted:
                values[metric].append(flat.get(metric, np.nan))
    told = {"algorithm": algorithm} if (algorithm := _algorithm(config, place)) else {}
    if config.get("seed") is None:
        told["run"] = str(trial or place.name)
    kept = kept_rows(np.array(steps), below(root, path), notes)
    scores = {name: np.array(of_metric) for name, of_metric in values.items()}
    logged = {name: kept & ~np.isnan(of_metric) for name, of_metric in scores.items()}
    for metric, kind in chosen_metrics([name for name in wanted if logged[name].any()], asked, _RETURNS, notes):
        there = logged[metric]
        episodes = np.ones(int(there.sum()), np.int64)
        found = (np.array(steps)[there], scores[metric][there])
        yield Curve(place.name, path, kind, metric, *found, episodes, told, config)


def _flat(found: Mapping[str, Any], without: str = "", above: str = "") -> Iterator[tuple[str, float]]:
    """(name, number) of all numbers, names of nested ones joined by slashes."""
    for key, value in found.items():
        if isinstance(value, Mapping):
            if key != without:
                yield from _flat(value, "", f"{above}{key}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{above}{key}", float(value)


def _algorithm(config: Mapping[str, Any], place: Place) -> str | None:
    """From the name that Tune gives to trials: ``PPO_CartPole-v1_3a1b4_00000_0_...``."""
    environment = config.get("env")
    before, found, _ = place.name.rpartition("/")[2].partition(f"_{environment}_")
    return before if found and before else None
