"""Rough CPU seconds of trials, plays and intervals, as measured: for the size of jobs and the time of a cluster.

No number depends on them. Light on purpose: planning imports it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_OF_A_TRIAL = {
    "acrobot": {"others": 0.7, "nac_td": 1.6, "ppo": 3.0},
    "cart_pole": {"others": 0.1, "nac_td": 0.15, "ppo": 0.5},
    "mountain_car": {"others": 0.05, "nac_td": 0.15, "ppo": 0.35},
    "chain_10": {"others": 1e-4, "nac_td": 9e-4, "ppo": 1.2e-3},
    "chain_50": {"others": 2e-3, "nac_td": 1.2e-2, "ppo": 1.3e-2},
    "gridworld_5": {"others": 2e-4, "nac_td": 2e-3, "ppo": 2.2e-3},
    "gridworld_10": {"others": 1e-3, "nac_td": 2.3e-2, "ppo": 1e-2},
    "pinball": {"others": 0.2, "nac_td": 0.4, "ppo": 1.6},
    "pinball_single": {"others": 0.8, "nac_td": 1.0, "ppo": 4.5},
}
"""By environment, or by what its name begins with."""
_OF_ANOTHER_TRIAL = {"others": 0.01}
"""In an environment of a user's."""

_OF_A_DECISION = {"random": 1e-7, "sboss": 1e-3, "beb": 4e-5}
_OF_ANOTHER_DECISION = 4e-5
"""CPU seconds of a decision of an agent that looks its actions up or learns a value of each, and of a user's agent."""
_OF_A_SAMPLE = 2e-6
"""CPU seconds of the models that a decision of BFS3 begins with, divided by their number and the depth."""
_OF_A_STEP_AHEAD = {"bamcp": 3e-8, "bfs3": 4e-8}
"""CPU seconds of a decision, divided by the numbers that say how far the agent looks ahead."""

_OF_A_DATA_SET = 0.03
_OF_A_RUN = 5e-5
_OF_A_REPLICATED_RUN = 3e-7
"""CPU seconds of a run of 36 cells; of four algorithms in nine environments a data set of 10,000 runs took half a
second by PBP and a second by the bootstrap of 200 replicates, and one of 10 to 100 runs a thirtieth of a second by any
method."""

SECONDS_OF_A_BATCH = 600.0
"""CPU seconds of a job at least: starting one took up to 20 seconds on a machine with other work, and should take at
most a twentieth of a job."""


def seconds_of_trial(algorithm: str, environment: str) -> float:
    """Mean CPU seconds of a trial."""
    kind = environment.rpartition("_")[0]
    measured = _OF_A_TRIAL.get(environment) or _OF_A_TRIAL.get(kind, _OF_ANOTHER_TRIAL)
    return measured.get(algorithm, measured["others"])


def seconds_of_plays(cell: Mapping[str, Any], mdps: int) -> float:
    """Upper bound of the CPU seconds in which a cell plays on `mdps` MDPs, what it learns before included.

    cell : the arguments of `surefoot.bayesian.cells.Cell`
    """
    agent = cell["agent"]
    arguments = cell["arguments"]
    horizon = cell["horizon"]
    numbers = [float(value) for value in arguments.values() if not isinstance(value, str)]
    if agent in _OF_A_STEP_AHEAD:
        decision = _OF_A_STEP_AHEAD[agent] * math.prod(numbers) + _OF_ANOTHER_DECISION
    else:
        decision = _OF_A_DECISION.get(agent, _OF_ANOTHER_DECISION)
    if agent == "bfs3":
        decision += _OF_A_SAMPLE * arguments["samples"] * arguments["depth"]
    # OPPS-DS plays a trajectory for each unit of its budget before the first decision.
    offline: float = horizon * _OF_ANOTHER_DECISION * arguments["budget"] if agent == "opps_ds" else 0.0
    return float(offline + mdps * horizon * decision)


def seconds_of_intervals(methods: int, size: int, replicates: int) -> float:
    """CPU seconds of the intervals of one data set.

    Parameters
    ----------
    methods : how many, each variant counted as one
    size : runs of each algorithm in each environment
    replicates : of each bootstrap
    """
    return methods * (_OF_A_DATA_SET + size * (_OF_A_RUN + _OF_A_REPLICATED_RUN * replicates))


def batch_numbers(seconds: Iterable[float]) -> Iterator[int]:
    """For each piece of work in turn the number of its batch, from 0; all but the last last long enough.

    seconds : CPU seconds that each piece takes
    """
    number = 0
    together = 0.0
    for piece in seconds:
        yield number
        together += piece
        if together >= SECONDS_OF_A_BATCH:
            number = number + 1
            together = 0.0
