"""Choose the metrics and the steps of a log by the names under which tools log them."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from surefoot.errors import InputError, one_of
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.logs.file_kinds import EVALUATION_WORDS
from surefoot.runs.logs.logged_curves import Reading

RETURNS = {
    "eval": (
        "eval/mean_reward",
        "eval/episodic_return",
        "eval/episode_return",
        "evaluator/episode_return",
        "test/returns_stat/mean",
        "test/reward",
        "AverageTestEpRet",
    ),
    "train": (
        "charts/episodic_return",
        "rollout/ep_rew_mean",
        "charts/episode_return",
        "train/episode_return",
        "AverageEpRet",
        *("Train/mean_reward", "rewards/step", "Reward / Total reward (mean)"),  # rsl_rl, rl_games and skrl
    ),
}
"""Names under which tools log the return of an episode, by kind; the first that is present is used."""
ENVIRONMENT_STEPS = "environment steps"
_COUNTED = (
    *("env_step", "env_steps", "environment_steps", "total_env_steps", "num_env_steps", "TotalEnvInteracts"),
    *("total_timesteps", "time/total_timesteps", "timesteps", "timestep"),
    # Stable-Baselines3 and CleanRL count the steps of these metrics in their event files.
    *("eval/mean_reward", "rollout/ep_rew_mean", "charts/episodic_return", "eval/episodic_return"),
)
UNITS: Mapping[str, str] = {
    **dict.fromkeys(_COUNTED, ENVIRONMENT_STEPS),
    **dict.fromkeys(("frames", "frame", "total_frames"), "frames"),
    "agent_steps": "agent steps",
    "train_episode_lengths": "agent steps",  # in Dopamine, summed over episodes
    "iteration": "iterations",
    "Train/mean_reward": "iterations",
}
"""Unit of steps by the name of the steps, or by metric in event files, where steps have no names.

Other names, such as step and global_step, do not determine the unit.
"""
_WORDS = re.compile(
    r"(?:(?:mean|avg|average|ep|episode|episodic|eval|evaluation|evaluator|test|validation|train|training|rollout)[_./]?)*"
    r"(?:return|reward|score|rew|ret)s?(?:[_./]?mean|[_./]?avg)?"
)
"""Common names of the return of an episode, in lower case."""

_LISTED = 12


def says_kind(metric: str) -> bool:
    """Return True if the name of a metric shows the kind of its scores.

    This is the case for names used by tools, and for names such as ``eval/return`` or ``train/return``.
    """
    of_tools = any(metric in names for names in RETURNS.values())
    return of_tools or kind_of_metric(metric) == "eval" or metric.lower().startswith(("train", "rollout"))


def kind_of_metric(metric: str) -> str:
    """Return "eval" for names that begin with a word for evaluations, such as ``eval/...``; otherwise "train"."""
    words = metric.lower().replace("_", "/").replace(".", "/").split("/")
    return "eval" if words[0] in EVALUATION_WORDS else "train"


def chosen_metrics(
    available: Iterable[str], reading: Reading, known: Mapping[str, Sequence[str]] | None = None, kind: str = ""
) -> list[tuple[str, str]]:
    """Return (metric, kind) of the requested metrics; by default, of the first known metric of each kind.

    Parameters
    ----------
    available : names in the files
    known : names of returns by kind, in order of preference; by default the names of `returns_among`
    kind : kind of all scores, if the format determines it
    """
    available = list(available)
    reading.metrics.update(available)
    returns = returns_among(available) if known is None else known
    kinds = {name: of_kind for of_kind, names in returns.items() for name in names}
    if reading.asked is None:
        chosen = _first_of_each(returns, available)
    else:
        chosen = [name for name in reading.asked if name in available]
    is_stated = kind or reading.place_kind
    if not is_stated:
        of_format = set() if known is None else set(kinds)
        reading.kind_is_guessed |= not all(map(says_kind, set(chosen) - of_format))
    return [(name, kind or kinds.get(name) or kind_of_metric(name)) for name in chosen]


def _first_of_each(returns: Mapping[str, Sequence[str]], available: Collection[str]) -> list[str]:
    """Return the first available name of each kind."""
    there = [[name for name in names if name in available] for names in returns.values()]
    return [names[0] for names in there if names]


def returns_among(available: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of episode returns in a log, by kind.

    Names used by tools take precedence. Otherwise, a name that looks like a return is used if it is the only one of its
    kind.
    """
    of_tools = {name: kind for kind, names in RETURNS.items() for name in names if name in available}
    others = [name for name in available if _WORDS.fullmatch(name.lower()) and name not in of_tools]
    by_kind: dict[str, tuple[str, ...]] = {}
    for kind in RETURNS:
        named = tuple(name for name in others if kind_of_metric(name) == kind)
        of_kind = tuple(name for name in of_tools if of_tools[name] == kind)
        by_kind[kind] = of_kind or (named if len(named) == 1 else ())
    return by_kind


def steps_among(available: Sequence[str], reading: Reading, shown: str) -> str:
    """Return the name of the steps in a log, and record their unit.

    Raises
    ------
    InputError
        if the log has no steps, or lacks the requested ones
    """
    asked = reading.step
    steps_name = next((name for name in ((asked,) if asked else STEPS) if name in available), None)
    if steps_name is None:
        there = [str(name) for name in available[:_LISTED]]
        sought = f'column "{asked}"' if asked else "column of steps"
        hint = f"use --step with {one_of(there)}" if asked else "name it with --step"
        raise InputError(shown, f"no {sought} among {', '.join(there)}", hint)
    reading.units.add(UNITS.get(steps_name, ""))
    return steps_name
