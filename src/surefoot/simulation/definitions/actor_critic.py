"""Complete definitions of the actor-critic and its Parl2 variant (Jordan et al. 2020, Table 4).

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), alpha_p and alpha_v ~ LU(1e-3, 0.1); Parl2 starts at alpha_v = 1.
"""

from collections.abc import Callable

from numba import njit

from surefoot.simulation.agents import actor_critic
from surefoot.simulation.agents.actor_critic import DISCOUNT, POLICY_STEP_SIZE, TRACE_DECAY, VALUE_STEP_SIZE
from surefoot.simulation.definitions.distributions import discount, tabular_step_size
from surefoot.simulation.interfaces import DRAW, DiscreteEnvironment
from surefoot.streams import uniform


@njit(DRAW, cache=True)
def draw_tabular_adaptive(hyperparameters, stream):
    """Hyperparameters of the Parl2 variant over tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Hyperparameters of the variant with fixed step sizes over tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)


def tabular(environment: DiscreteEnvironment, adaptive: bool) -> Callable:
    """The actor-critic over a table, with Parl2 if `adaptive`; see `protocol`."""
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return actor_critic.simulator(environment, draw, adaptive=adaptive)
