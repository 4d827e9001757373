"""What the kernels of all agents share: signatures, how a trial begins, how an environment is bound to one, and how an
agent chooses an action (Jordan et al. 2020, Appendix E).
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import float64, int64, njit, typeof, types, uint64

from surefoot.simulation.protocol import (
    DRAW,
    DRAW_LINEAR,
    PERTURB,
    RESET,
    RESET_CONTINUOUS,
    STEP,
    STEP_CONTINUOUS,
    ContinuousEnvironment,
    DiscreteEnvironment,
)
from surefoot.streams import below, start_stream, uniform

Simulator = Callable[[np.ndarray, int, np.ndarray, int], int]
"""simulate(performances, episodes, key, first_trial); see `surefoot.simulation.protocol`."""

_TRIALS = (float64[::1], int64, uint64[::1], int64)

TABULAR = (
    *(int64, int64, float64[::1]),
    *(types.FunctionType(signature) for signature in (PERTURB, RESET, STEP, DRAW)),
)
"""States, actions, parameters before `perturb`, and the functions of a discrete environment and of a definition."""

LINEAR = (
    *(int64, float64[::1], float64[::1], float64[::1]),
    *(types.FunctionType(signature) for signature in (PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, DRAW_LINEAR)),
)
"""Actions, low and high, parameters before `perturb`, and the functions of a continuous environment."""


@functools.cache
def _kernel(simulate: Callable, *arguments: types.Type) -> Callable:
    """`simulate(performances, episodes, key, first, *arguments)` -> number of steps, compiled."""
    return njit(int64(*_TRIALS, *arguments), cache=True, nogil=True, error_model="numpy")(simulate)


@njit(inline="always")
def begin_trial(key, number, constants, perturb, stream):
    """Put `stream` at the beginning of a trial's; the parameters of its environment."""
    start_stream(key, number, stream)
    parameters = constants.copy()
    perturb(parameters, stream)
    return parameters


class World(NamedTuple):
    """The environment of a trial, discrete or continuous; see `protocol`.

    parameters : as they are after `perturb`
    stream : uint64[4], the trial's
    reset, step : compiled functions of the environment
    """

    parameters: np.ndarray
    stream: np.ndarray
    reset: Callable
    step: Callable


def simulator(
    simulate: Callable,
    environment: DiscreteEnvironment | ContinuousEnvironment,
    draw: Callable,
    *options: bool | float,
) -> Simulator:
    """A compiled simulator of an environment, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    simulate : simulate(performances, episodes, key, first, *arguments, options) -> number of steps, a function that
        numba can compile; `performances` and `first` are those of a `Simulator`, the arguments what `TABULAR` says of a
        discrete environment and `LINEAR` of a continuous one
    draw : compiled function that draws the hyperparameters, laid out as `simulate` reads them
    options : what else it takes, as a tuple
    """
    if isinstance(environment, DiscreteEnvironment):
        types_of_arguments, numbers = TABULAR, (environment.states, environment.actions)
    else:
        low, high = np.array(environment.low), np.array(environment.high)
        types_of_arguments, numbers = LINEAR, (environment.actions, low, high)
    functions = environment.perturb, environment.reset, environment.step, draw
    given = (*numbers, np.array(environment.parameters), *functions, options)
    kernel = _kernel(simulate, *types_of_arguments, typeof(options))
    return lambda performances, episodes, key, first: kernel(performances, episodes, key, first, *given)


LARGEST_LOGIT = 32.0


@njit(inline="always")
def epsilon_greedy(values, actions, state, epsilon, stream):
    """(an action: with probability `epsilon` any, otherwise the greedy one; the greedy action).

    The greedy action is that of largest value (float64[states, actions]) in `state`, the first of several; the first
    whose value is NaN, if any.
    """
    best = 0
    largest = values[state, 0]
    for action in range(1, actions):
        value = values[state, action]
        # One condition without short-cuts: what is best is hard to predict, so no branch should depend on it.
        if (largest == largest) & (not value <= largest):
            best = action
            largest = value
    if uniform(stream) < epsilon:
        return below(stream, actions), best
    return best, best


@njit(inline="always")
def softmax(logits, actions, state, probabilities):
    """Fill `probabilities` (float64[actions]) from the clipped logits (float64[states, actions]); NaN stays NaN."""
    total = 0.0
    for action in range(actions):
        logit = logits[state, action]
        logit = -LARGEST_LOGIT if logit < -LARGEST_LOGIT else logit
        logit = LARGEST_LOGIT if logit > LARGEST_LOGIT else logit
        probabilities[action] = math.exp(logit)
        total += probabilities[action]
    for action in range(actions):
        probabilities[action] /= total


@njit(inline="always")
def sample(probabilities, actions, stream):
    """An action with these probabilities, by inversion of one uniform number; 0 where there is NaN."""
    chance = uniform(stream)
    cumulative = 0.0
    for action in range(actions):
        cumulative += probabilities[action]
        if chance < cumulative:
            return action
    return 0
