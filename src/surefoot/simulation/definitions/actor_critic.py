"""Complete definitions of the actor-critic and its Parl2 variant (Jordan et al. 2020, Table 4).

U is the uniform and LU the log-uniform distribution.

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1). For tables, alpha_p and alpha_v ~ LU(1e-3, 0.1). For a Fourier basis with
orders d ~ U{0..9} and o ~ U{1..9}, both ~ LU(1e-6, 1e-3), or, scaled, alpha_v ~ LU(1e-3, 1) / F and alpha_p ~ LU(1e-3,
1) / (F k) with F features and k actions. Parl2 starts at alpha_v = 1; its alpha_p is scaled.
"""

from numba import njit

from surefoot.simulation.agents import actor_critic, linear_actor_critic
from surefoot.simulation.agents.actor_critic import (
    DISCOUNT,
    POLICY_STEP_SIZE,
    TRACE_DECAY,
    VALUE_STEP_SIZE,
)
from surefoot.simulation.agents.kernels import Simulator, simulator
from surefoot.simulation.agents.linear_actor_critic import DEPENDENT_ORDER, INDEPENDENT_ORDER
from surefoot.simulation.definitions.distributions import (
    discount,
    draw_orders,
    linear_step_size,
    scaled_step_size,
    tabular_step_size,
    unit_uniform,
)
from surefoot.simulation.fourier import number_of_features
from surefoot.simulation.protocol import DRAW, DRAW_LINEAR, ContinuousEnvironment, DiscreteEnvironment


@njit(DRAW, cache=True)
def draw_tabular_adaptive(hyperparameters, stream):
    """Draw hyperparameters of the Parl2 variant for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[POLICY_STEP_SIZE] = tabular_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters of the variant with fixed step sizes for tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[VALUE_STEP_SIZE] = tabular_step_size(stream)


@njit(cache=True, error_model="numpy")
def _draw_basis(hyperparameters, dimensions, stream):
    """Draw the orders, the discount and the decay, and return the number of features."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    dependent = int(hyperparameters[DEPENDENT_ORDER])
    independent = int(hyperparameters[INDEPENDENT_ORDER])
    return number_of_features(dimensions, dependent, independent)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variant with fixed step sizes for a Fourier basis."""
    _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = linear_step_size(stream)
    hyperparameters[VALUE_STEP_SIZE] = linear_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_scaled(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variant with step sizes scaled by the numbers of features and actions."""
    features = _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = scaled_step_size(stream, features * actions)
    hyperparameters[VALUE_STEP_SIZE] = scaled_step_size(stream, features)


@njit(DRAW_LINEAR, cache=True)
def draw_linear_adaptive(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the Parl2 variant for a Fourier basis."""
    features = _draw_basis(hyperparameters, dimensions, stream)
    hyperparameters[POLICY_STEP_SIZE] = scaled_step_size(stream, features * actions)
    hyperparameters[VALUE_STEP_SIZE] = 1.0


def tabular(environment: DiscreteEnvironment, adaptive: bool, fraction: float = 1.0) -> Simulator:
    """Create a simulator of the tabular actor-critic; see `protocol`.

    Parameters
    ----------
    environment : DiscreteEnvironment
    adaptive : bool
        Use Parl2 for the critic.
    fraction : float, default 1.0
        Factor on the critic's steps.
    """
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return simulator(actor_critic.trial_with(environment.actions), environment, draw, adaptive, fraction)


def linear(
    environment: ContinuousEnvironment, adaptive: bool, scaled: bool = False, fraction: float = 1.0
) -> Simulator:
    """Create a simulator of the actor-critic over a Fourier basis.

    With `scaled`, step sizes are divided by the number of features.
    """
    draw = draw_linear_adaptive if adaptive else draw_scaled if scaled else draw_linear
    return simulator(linear_actor_critic.trial, environment, draw, adaptive, fraction)
