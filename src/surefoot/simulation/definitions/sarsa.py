"""Complete definitions of Sarsa(lambda) and Q(lambda) and their Parl2 variants (Jordan et al. 2020, Table 4).

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), epsilon ~ U(0, 0.1), alpha ~ LU(1e-3, 0.1); Parl2 starts at alpha = 1.
The paper prints epsilon ~ U(0, 1); its results require U(0, 0.1).
"""

from collections.abc import Callable

from numba import njit

from surefoot.simulation.agents import sarsa
from surefoot.simulation.agents.sarsa import DISCOUNT, EXPLORATION, STEP_SIZE, TRACE_DECAY
from surefoot.simulation.definitions.distributions import discount, tabular_step_size
from surefoot.simulation.interfaces import DRAW, DiscreteEnvironment
from surefoot.streams import uniform


@njit(DRAW, cache=True)
def draw_tabular_adaptive(hyperparameters, stream):
    """Hyperparameters of the Parl2 variants over tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = uniform(stream)
    hyperparameters[EXPLORATION] = 0.1 * uniform(stream)
    hyperparameters[STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Hyperparameters of the variants with a fixed step size over tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


def tabular(environment: DiscreteEnvironment, target: str, adaptive: bool) -> Callable:
    """Sarsa (`target` "sarsa") or Q ("q") over a table, with Parl2 if `adaptive`; see `protocol`."""
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return sarsa.simulator(environment, draw, off_policy=target == "q", adaptive=adaptive)
