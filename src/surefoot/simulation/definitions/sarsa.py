"""Complete definitions of Sarsa(lambda) and Q(lambda) and their Parl2 variants (Jordan et al. 2020, Table 4).

U is the uniform and LU the log-uniform distribution.

gamma = 1 - LU(1e-4, 0.05), lambda ~ U(0, 1), epsilon ~ U(0, 0.1); Parl2 starts at alpha = 1. For tables, alpha ~
LU(1e-3, 0.1). For a Fourier basis with orders d ~ U{0..9} and o ~ U{1..9}, alpha ~ LU(1e-6, 1e-3), or, scaled, LU(1e-3,
1) divided by the number of features. The paper prints epsilon ~ U(0, 1); its results require U(0, 0.1).
"""

from numba import njit

from surefoot.simulation.agents import linear_sarsa, sarsa
from surefoot.simulation.agents.kernels import Simulator, simulator
from surefoot.simulation.agents.linear_sarsa import DEPENDENT_ORDER, INDEPENDENT_ORDER
from surefoot.simulation.agents.sarsa import DISCOUNT, EXPLORATION, STEP_SIZE, TRACE_DECAY
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
    """Draw hyperparameters of the Parl2 variants for tables."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[TRACE_DECAY] = unit_uniform(stream)
    hyperparameters[EXPLORATION] = 0.1 * unit_uniform(stream)
    hyperparameters[STEP_SIZE] = 1.0


@njit(DRAW, cache=True)
def draw_tabular(hyperparameters, stream):
    """Draw hyperparameters of the variants with a fixed step size for tables."""
    draw_tabular_adaptive(hyperparameters, stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear_adaptive(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the Parl2 variants for a Fourier basis."""
    draw_orders(hyperparameters, DEPENDENT_ORDER, stream)
    draw_tabular_adaptive(hyperparameters, stream)


@njit(DRAW_LINEAR, cache=True)
def draw_linear(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variants with a fixed step size for a Fourier basis."""
    draw_linear_adaptive(hyperparameters, dimensions, actions, stream)
    hyperparameters[STEP_SIZE] = linear_step_size(stream)


@njit(DRAW_LINEAR, cache=True)
def draw_scaled(hyperparameters, dimensions, actions, stream):
    """Draw hyperparameters of the variants with a step size scaled by the number of features."""
    draw_linear_adaptive(hyperparameters, dimensions, actions, stream)
    features = number_of_features(
        dimensions, int(hyperparameters[DEPENDENT_ORDER]), int(hyperparameters[INDEPENDENT_ORDER])
    )
    hyperparameters[STEP_SIZE] = scaled_step_size(stream, features)


def tabular(environment: DiscreteEnvironment, target: str, adaptive: bool, fraction: float = 1.0) -> Simulator:
    """Create a simulator of tabular Sarsa(lambda) or Q(lambda); see `protocol`.

    Parameters
    ----------
    environment : DiscreteEnvironment
    target : {"sarsa", "q"}
    adaptive : bool
        Use Parl2.
    fraction : float, default 1.0
        Factor by which the step size is multiplied.
    """
    draw = draw_tabular_adaptive if adaptive else draw_tabular
    return simulator(sarsa.trial_with(environment.actions), environment, draw, target == "q", adaptive, fraction)


def linear(
    environment: ContinuousEnvironment, target: str, adaptive: bool, scaled: bool = False, fraction: float = 1.0
) -> Simulator:
    """Create a simulator of Sarsa(lambda) or Q(lambda) over a Fourier basis.

    With `scaled`, the step size is divided by the number of features.
    """
    draw = draw_linear_adaptive if adaptive else draw_scaled if scaled else draw_linear
    return simulator(linear_sarsa.trial, environment, draw, target == "q", adaptive, fraction)
