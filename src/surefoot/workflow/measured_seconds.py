"""Estimate the CPU seconds of trials, plays and intervals, to choose the size of jobs and time limits on a cluster.

The estimates are rough measurements, on which no results depend. Planning imports this module, so it imports nothing
heavy.
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
"""CPU seconds of a trial, by environment or by prefix of its name."""
_OF_ANOTHER_TRIAL = {"others": 0.01}
"""CPU seconds of a trial in a user-defined environment."""

_OF_A_DECISION = {"random": 1e-7, "sboss": 1e-3, "beb": 4e-5}
_OF_ANOTHER_DECISION = 4e-5
"""CPU seconds of a decision of an agent with a table of actions or action values, or of a user-defined agent."""
_OF_A_SAMPLE = 2e-6
"""CPU seconds to build the models for a decision of BFS3, divided by the number of models and the depth."""
_OF_A_STEP_AHEAD = {"bamcp": 3e-8, "bfs3": 4e-8}
"""CPU seconds of a decision, divided by the product of the parameters, which determine how far an agent looks ahead."""

_OF_A_DATA_SET = 0.03
_OF_A_RUN = 5e-5
_OF_A_REPLICATED_RUN = 3e-7
"""CPU seconds of an interval for 36 cells, per run of each cell and replicate.

`_OF_A_DATA_SET` is added for each data set, and `_OF_A_RUN` for each run of each cell.

For four algorithms in nine environments, a data set of 10,000 runs took half a second with PBP and a second with the
bootstrap and 200 replicates; a data set of 10 to 100 runs took a thirtieth of a second with any method.
"""

SECONDS_OF_A_BATCH = 600.0
"""Minimum CPU seconds of a job; starting a job takes up to 20 seconds, which should be a small part."""


def seconds_of_trial(algorithm: str, environment: str) -> float:
    """Return the mean CPU seconds of a trial."""
    kind = environment.rpartition("_")[0]
    measured = _OF_A_TRIAL.get(environment) or _OF_A_TRIAL.get(kind, _OF_ANOTHER_TRIAL)
    return measured.get(algorithm, measured["others"])


def seconds_of_plays(cell: Mapping[str, Any], mdps: int) -> float:
    """Return an upper bound on the CPU seconds of an agent on `mdps` MDPs, including offline learning.

    cell : arguments of `surefoot.bayesian.cells.Cell`
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


def seconds_of_intervals(methods: int, size: int, n_resamples: int) -> float:
    """Return the CPU seconds of the intervals of one data set.

    Parameters
    ----------
    methods : number of methods, counting each variant
    size : number of runs of each algorithm in each environment
    n_resamples : number of resamples of each bootstrap
    """
    return methods * (_OF_A_DATA_SET + size * (_OF_A_RUN + _OF_A_REPLICATED_RUN * n_resamples))


def batch_numbers(seconds: Iterable[float]) -> Iterator[int]:
    """Yield the batch number of each item, from 0; every batch but the last has at least SECONDS_OF_A_BATCH.

    seconds : CPU seconds of each item
    """
    number = 0
    together = 0.0
    for piece in seconds:
        yield number
        together += piece
        if together >= SECONDS_OF_A_BATCH:
            number = number + 1
            together = 0.0
