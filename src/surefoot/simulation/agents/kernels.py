"""What the kernels of all agents share: signatures, how a trial begins, how an environment is bound to one, and how an
agent chooses an action (Jordan et al. 2020, Appendix E).
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, njit, typeof, types, uint64
from numba.core.typing import Signature

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


def _simulate(performances, episodes, key, first, constants, perturb, reset, step, trial, space, draw, options):
    """Trials first..first+len(performances)-1; their number of steps."""
    stream = np.empty(4, np.uint64)
    all_steps = 0
    for number in range(len(performances)):
        start_stream(key, first + number, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        total_return, steps = trial(episodes, World(parameters, stream, reset, step), space, draw, options)
        performances[number] = total_return / episodes
        all_steps += steps
    return all_steps


@functools.cache
def _compiled(trial: Callable, reset: Signature, step: Signature, *arguments: types.Type) -> tuple[Callable, Callable]:
    """`trial` and `_simulate` for environments whose functions have these signatures; `arguments` are the types of the
    last three arguments of a trial."""
    functions = types.FunctionType(reset), types.FunctionType(step)
    world = types.NamedTuple((float64[::1], uint64[::1], *functions), World)
    signature = types.Tuple((float64, int64))(int64, world, *arguments)
    trials = float64[::1], int64, uint64[::1], int64
    given = float64[::1], types.FunctionType(PERTURB), *functions, types.FunctionType(signature), *arguments
    options = {"cache": True, "nogil": True, "error_model": "numpy"}
    return njit(signature, **options)(trial), njit(int64(*trials, *given), **options)(_simulate)


def simulator(
    trial: Callable,
    environment: DiscreteEnvironment | ContinuousEnvironment,
    draw: Callable,
    *options: bool | float,
) -> Simulator:
    """A compiled simulator of an environment, ready to be called in several threads; see `protocol`.

    Parameters
    ----------
    trial : trial(episodes, world, space, draw, options) -> (sum of the returns of all episodes, number of steps), a
        function that numba can compile: a new agent in a `World`. `space` is (states, actions) in a discrete
        environment and (actions, low, high) in a continuous one, the ranges as float64[dimensions]
    draw : compiled function that draws the hyperparameters, with signature `DRAW` or `DRAW_LINEAR`, laid out as `trial`
        reads them
    options : what else it takes, as a tuple
    """
    space: tuple[Any, ...]
    if isinstance(environment, DiscreteEnvironment):
        space = environment.states, environment.actions
        signatures = RESET, STEP, DRAW
    else:
        space = environment.actions, np.array(environment.low), np.array(environment.high)
        signatures = RESET_CONTINUOUS, STEP_CONTINUOUS, DRAW_LINEAR
    reset, step, drawing = signatures
    arguments = typeof(space), types.FunctionType(drawing), typeof(options)
    compiled, simulate = _compiled(trial, reset, step, *arguments)
    functions = environment.perturb, environment.reset, environment.step, compiled
    given = np.array(environment.parameters), *functions, space, draw, options
    return lambda performances, episodes, key, first: simulate(performances, episodes, key, first, *given)


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
