"""The complete definition of PPO (Jordan et al. 2020, Table 4).

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), clip ~ U(0.1, 0.3), entropy weight ~ LU(1e-8, 1e-2), buffer
round(2^U(6, 8)), epochs ~ U{1..10}, minibatch round(2^U(4, 6)), and the step size of Adam LU(1e-3, 0.1) over tables.
"""

from collections.abc import Callable

from numba import njit

from surefoot.simulation.agents import ppo
from surefoot.simulation.agents.policy_gradient import (
    BUFFER,
    CLIP,
    DISCOUNT,
    ENTROPY_WEIGHT,
    EPOCHS,
    MINIBATCH,
    STEP_SIZE,
    TRACE_DECAY,
)
from surefoot.simulation.definitions.distributions import discount, log_uniform, tabular_step_size
from surefoot.simulation.interfaces import DRAW, DiscreteEnvironment
from surefoot.streams import below, uniform


@njit(inline="always")
def _draw_common(hyperparameters, stream):
    """All hyperparameters but the step size."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = uniform(stream)
    hyperparameters[CLIP] = 0.1 + 0.2 * uniform(stream)
    hyperparameters[ENTROPY_WEIGHT] = log_uniform(stream, 1e-8, 1e-2)
    hyperparameters[BUFFER] = round(2.0 ** (6.0 + 2.0 * uniform(stream)))
    hyperparameters[EPOCHS] = 1 + below(stream, 10)
    hyperparameters[MINIBATCH] = round(2.0 ** (4.0 + 2.0 * uniform(stream)))


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Hyperparameters over tables."""
    _draw_common(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Callable:
    """PPO over a table; see `protocol`."""
    return ppo.simulator(environment, draw_tabular)
