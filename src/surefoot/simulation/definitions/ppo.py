"""Complete definition of PPO (Jordan et al. 2020, Table 4).

U is the uniform and LU the log-uniform distribution.

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), clip ~ U(0.1, 0.3), entropy weight ~ LU(1e-8, 1e-2), buffer round(2^U(6,
8)), epochs ~ U{1..10}, minibatch round(2^U(4, 6)), and the step size of Adam LU(1e-3, 0.1) for tables and LU(1e-6,
1e-3) for a Fourier basis, with orders d ~ U{0..9} and o ~ U{1..9}.
"""

from numba import njit

from surefoot.simulation.agents import linear_ppo, ppo
from surefoot.simulation.agents.kernels import Simulator, simulator
from surefoot.simulation.agents.linear_ppo import DEPENDENT_ORDER
from surefoot.simulation.agents.ppo import (
    BUFFER,
    CLIP,
    DISCOUNT,
    ENTROPY_WEIGHT,
    EPOCHS,
    MINIBATCH,
    STEP_SIZE,
    TRACE_DECAY,
)
from surefoot.simulation.definitions.distributions import (
    discount,
    draw_orders,
    linear_step_size,
    log_uniform,
    tabular_step_size,
    uniform_integer,
    unit_uniform,
)
from surefoot.simulation.protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment


@njit(cache=True, error_model="numpy")
def _draw_common(hyperparameters, stream):
    """Draw all hyperparameters except the step size."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[CLIP] = 0.1 + 0.2 * unit_uniform(stream)
    hyperparameters[ENTROPY_WEIGHT] = log_uniform(stream, 1e-8, 1e-2)
    hyperparameters[BUFFER] = round(2.0 ** (6.0 + 2.0 * unit_uniform(stream)))
    hyperparameters[EPOCHS] = uniform_integer(stream, 1, 10)
    hyperparameters[MINIBATCH] = round(2.0 ** (4.0 + 2.0 * unit_uniform(stream)))


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters for tables."""
    _draw_common(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    _draw_common(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = linear_step_size(stream)


def tabular(environment: DiscreteEnvironment) -> Simulator:
    """Create a simulator of tabular PPO; see `protocol`."""
    return simulator(ppo.trial, environment, draw_tabular)


def linear(environment: ContinuousEnvironment) -> Simulator:
    """Create a simulator of PPO over a Fourier basis; see `protocol`."""
    return simulator(linear_ppo.trial, environment, draw_linear)
