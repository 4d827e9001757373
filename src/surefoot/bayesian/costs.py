"""What a play costs, as measured (see `benchmarks/castronovo2016.py`): for estimates of time, no result."""

import math
from collections.abc import Mapping
from typing import Any

_SECONDS_OF_A_DECISION = {"random": 1e-7, "sboss": 1e-3, "beb": 4e-5}
_SECONDS_OF_OTHERS = 4e-5
"""Of an agent that looks its actions up or learns a value of each, and of one of a user's."""
_SECONDS_OF_A_SAMPLE = 2e-6
"""Of BFS3: of the models that a decision begins with, divided by their number and the depth."""
_SECONDS_OF_A_STEP = {"bamcp": 3e-8, "bfs3": 4e-8}
"""Of agents that look ahead: of a decision, divided by the numbers that say how much they look ahead."""


def cost(cell: Mapping[str, Any], mdps: int) -> float:
    """Rough upper bound of the CPU seconds in which a cell plays on `mdps` MDPs, what it learns before included.

    cell : the arguments of `surefoot.bayesian.cells.Cell`
    """
    agent, arguments, horizon = cell["agent"], cell["arguments"], cell["horizon"]
    numbers = [float(value) for value in arguments.values() if not isinstance(value, str)]
    if agent in _SECONDS_OF_A_STEP:
        decision = _SECONDS_OF_A_STEP[agent] * math.prod(numbers) + _SECONDS_OF_OTHERS
    else:
        decision = _SECONDS_OF_A_DECISION.get(agent, _SECONDS_OF_OTHERS)
    if agent == "bfs3":
        decision += _SECONDS_OF_A_SAMPLE * arguments["samples"] * arguments["depth"]
    # OPPS-DS plays a trajectory for each unit of its budget before the first decision.
    offline: float = horizon * _SECONDS_OF_OTHERS * arguments["budget"] if agent == "opps_ds" else 0.0
    return float(offline + mdps * horizon * decision)
