"""Environment with a point on a slope, and hyperparameters for agents that learn on it."""

from numba import njit
from support import plain_agents as plain

from surefoot.simulation.agents.hyperparameter_distributions import uniform_integer, unit_uniform
from surefoot.simulation.trial_protocol import ContinuousEnvironment
from surefoot.streams import stream_key, uniform

KEY = stream_key(6, "linear agents")
STEP_LIMIT = 30


@njit
def perturb_slope(parameters, stream):
    parameters[0] = 0.05 + 0.1 * uniform(stream)


@njit
def reset_slope(parameters, state, stream):
    state[0], state[1] = -0.5, 0.1


@njit
def step_slope(parameters, state, action, steps, stream):
    """Push a point up or down a slope; the second state variable is noise that leaves the range of the features."""
    state[0] += parameters[0] * (action - 1) + 0.1 * (uniform(stream) - 0.5)
    state[1] = 3.0 * uniform(stream) - 1.0
    return -1.0 - state[0] ** 2, state[0] > 0.5 or steps + 1 >= STEP_LIMIT


def slope(actions=3):
    """Return the environment; actions beyond the third push farther."""
    return ContinuousEnvironment(actions, (-1.0, 0.0), (1.0, 1.0), (0.0,), perturb_slope, reset_slope, step_slope)


@njit
def draw_learning(hyperparameters, dimensions, actions, stream):
    """Draw orders up to 4, and step sizes with which most agents learn within a few episodes."""
    hyperparameters[0] = 0.9 + 0.1 * unit_uniform(stream)
    hyperparameters[1] = unit_uniform(stream)
    hyperparameters[2] = 0.3 * unit_uniform(stream)
    hyperparameters[3] = 0.001 + 0.02 * unit_uniform(stream)
    hyperparameters[4] = uniform_integer(stream, 0, 3)
    hyperparameters[5] = uniform_integer(stream, 1, 4)


@njit
def draw_divergent(hyperparameters, dimensions, actions, stream):
    """Draw step sizes from 1 to 1e250, most of which diverge, some immediately."""
    draw_learning(hyperparameters, dimensions, actions, stream)
    hyperparameters[3] = 10.0 ** (250.0 * unit_uniform(stream) ** 3)


def both(agent, plain_trial, draw, trials, episodes, actions, *options):
    """Return the performances of the compiled and of the plain agent, and the final weights.

    Trials in which rounding affects a decision are left out.
    """
    given = slope(actions), draw, KEY, trials, episodes, *options
    ours, theirs, finals = plain.both(agent, plain_trial, *given)
    reordered, _ = plain.trials(agent, plain_trial, *given, backwards=True)
    clear = theirs == reordered
    return ours[clear], theirs[clear], [final for final, kept in zip(finals, clear, strict=True) if kept]
