"""The complete definition of NAC-TD (Jordan et al. 2020, Table 4).

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), and alpha_p, alpha_v, alpha_w each LU(1e-3, 0.1) over tables.
"""

from collections.abc import Callable

from numba import njit

from surefoot.simulation.agents import nac_td
from surefoot.simulation.agents.nac_td import (
    ADVANTAGE_STEP_SIZE,
    DISCOUNT,
    POLICY_STEP_SIZE,
    TRACE_DECAY,
    VALUE_STEP_SIZE,
)
from surefoot.simulation.definitions.distributions import discount, tabular_step_size
from surefoot.simulation.interfaces import DRAW, DiscreteEnvironment
from surefoot.streams import uniform


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Hyperparameters over tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[ADVANTAGE_STEP_SIZE] = tabular_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Callable:
    """NAC-TD over a table; see `protocol`."""
    return nac_td.simulator(environment, draw_tabular)
