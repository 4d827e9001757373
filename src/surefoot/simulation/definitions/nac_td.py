"""Complete definition of NAC-TD (Jordan et al. 2020, Table 4).

U is the uniform and LU the log-uniform distribution.

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), and alpha_p, alpha_v, alpha_w each LU(1e-3, 0.1) for tables and LU(1e-6,
1e-3) for a Fourier basis, with orders d ~ U{0..9} and o ~ U{1..9}.
"""

from numba import njit

from surefoot.simulation.agents import linear_nac_td, nac_td
from surefoot.simulation.agents.kernels import Simulator, simulator
from surefoot.simulation.agents.linear_nac_td import DEPENDENT_ORDER
from surefoot.simulation.agents.nac_td import (
    ADVANTAGE_STEP_SIZE,
    DISCOUNT,
    POLICY_STEP_SIZE,
    TRACE_DECAY,
    VALUE_STEP_SIZE,
)
from surefoot.simulation.definitions.distributions import (
    discount,
    draw_orders,
    linear_step_size,
    tabular_step_size,
    unit_uniform,
)
from surefoot.simulation.protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[ADVANTAGE_STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[ADVANTAGE_STEP_SIZE] = linear_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Simulator:
    """Create a simulator of tabular NAC-TD; see `protocol`."""
    return simulator(nac_td.trial, environment, draw_tabular)


def linear(environment: ContinuousEnvironment) -> Simulator:
    """Create a simulator of NAC-TD over a Fourier basis; see `protocol`."""
    return simulator(linear_nac_td.trial, environment, draw_linear)
