"""Code shared by the kernels of all agents: signatures, the start of a trial, and the choice of actions.

Jordan et al. 2020, Appendix E.
"""

import functools
import hashlib
import inspect
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, njit, typeof, types, uint64
from numba.core.typing import Signature

from surefoot.simulation.trial_protocol import (
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

Simulator = Callable[..., int]
"""simulate(performances, episodes, key, first_trial, candidate); see `surefoot.simulation.trial_protocol`."""

OF_EACH_TRIAL = np.empty(0, np.uint64)
"""Placeholder for a candidate's stream if each trial draws its own hyperparameters."""

MOST_HYPERPARAMETERS = 64
"""Size of the array of hyperparameters. Compiled code does not check array bounds."""


class World(NamedTuple):
    """Environment of a trial, discrete or continuous; see `protocol`.

    parameters : values after `perturb`
    stream : uint64[4], the trial's stream
    reset, step : compiled functions of the environment
    """

    parameters: np.ndarray
    stream: np.ndarray
    reset: Callable
    step: Callable


def _simulate(
    performances, episodes, key, first, candidate, constants, perturb, reset, step, draw, trial, space, options
):
    """Run trials first..first+len(performances)-1, and return their number of steps."""
    stream = np.empty(4, np.uint64)
    hyperparameters = np.empty(MOST_HYPERPARAMETERS)
    all_steps = 0
    for number in range(len(performances)):
        start_stream(key, first + number, stream)
        parameters = constants.copy()
        perturb(parameters, stream)
        drawn_from = candidate.copy() if len(candidate) > 0 else stream
        if len(space) == 2:
            draw(hyperparameters, drawn_from)
        else:
            draw(hyperparameters, len(space[1]), space[0], drawn_from)
        world = World(parameters, stream, reset, step)
        total_return, steps = trial(episodes, world, space, hyperparameters, options)
        performances[number] = total_return / episodes
        all_steps += steps
    return all_steps


@functools.cache
def _compiled(
    trial: Callable, signatures: tuple[Signature, Signature, Signature], space: types.Type, options: types.Type
) -> tuple[Callable, Callable]:
    """Compile `trial` and `_simulate`.

    Parameters
    ----------
    trial : function
        Trial of an agent.
    signatures : tuple
        Signatures of the functions `reset` and `step` of the environment, and `draw` of the definition.
    space, options : numba types
        Types of the description of the state space and of the agent's options.
    """
    reset, step, draw = map(types.FunctionType, signatures)
    world = types.NamedTuple((float64[::1], uint64[::1], reset, step), World)
    signature = types.Tuple((float64, int64))(int64, world, space, float64[::1], options)
    trials = float64[::1], int64, uint64[::1], int64, uint64[::1]
    further = (
        float64[::1],
        types.FunctionType(PERTURB),
        reset,
        step,
        draw,
        types.FunctionType(signature),
        space,
        options,
    )
    how = {"cache": True, "nogil": True, "error_model": "numpy"}
    _name_by_closure(trial)
    return njit(signature, **how)(trial), njit(int64(*trials, *further), **how)(_simulate)


def _name_by_closure(function: Callable) -> None:
    """Include the values of a function's closure in its name, from which numba makes the symbols of its kernels.

    Otherwise, kernels that several processes compiled for different values and stored could have the same symbol, and
    a process that loads them would call the wrong one.
    """
    ending = "".join(f"_{_short_name(cell.cell_contents)}" for cell in function.__closure__ or ())
    if not function.__qualname__.endswith(ending):
        function.__qualname__ += ending


def _short_name(value: object) -> str:
    """Return the text of a value, or a digest of the text if it is not a number or word."""
    function = getattr(value, "py_func", value)
    text = f"{function.__module__}.{function.__qualname__}" if inspect.isfunction(function) else repr(value)
    return text if text.isalnum() else hashlib.sha256(text.encode()).hexdigest()[:12]


def simulator(
    trial: Callable,
    environment: DiscreteEnvironment | ContinuousEnvironment,
    draw: Callable,
    *options: bool | float,
) -> Simulator:
    """Compile a simulator of an environment, which can be called in several threads; see `protocol`.

    Parameters
    ----------
    trial : function
        Function that numba can compile and that runs a new agent in a `World`: trial(episodes, world, space,
        hyperparameters, options) -> (sum of the returns of all episodes, number of steps). `space` is (states, actions)
        in a discrete environment and (actions, low, high) in a continuous one, where the ranges low..high are
        float64[dimensions].
    environment : DiscreteEnvironment or ContinuousEnvironment
    draw : compiled function
        Function that draws the hyperparameters (float64[MOST_HYPERPARAMETERS]) in the layout of `trial`, with signature
        `DRAW` or `DRAW_LINEAR`.
    options : bool or float
        Further options of `trial`, passed as a tuple.
    """
    space: tuple[Any, ...]
    if isinstance(environment, DiscreteEnvironment):
        space = environment.states, environment.actions
        signatures = RESET, STEP, DRAW
    else:
        space = environment.actions, np.array(environment.low), np.array(environment.high)
        signatures = RESET_CONTINUOUS, STEP_CONTINUOUS, DRAW_LINEAR
    compiled, simulate = _compiled(trial, signatures, typeof(space), typeof(options))
    functions = environment.perturb, environment.reset, environment.step, draw, compiled
    constants = np.array(environment.parameters), *functions, space, options
    return lambda performances, episodes, key, first, candidate=OF_EACH_TRIAL: simulate(
        performances, episodes, key, first, candidate, *constants
    )


LARGEST_LOGIT = 32.0


@njit(inline="always")
def epsilon_greedy(values, actions, state, epsilon, stream):
    """Return (random action with probability `epsilon`, else the greedy one; the greedy action).

    The greedy action has the largest value (float64[states, actions]) in `state`; if there are ties or NaN, the first
    of these actions.
    """
    best = 0
    largest = values[state, 0]
    for action in range(1, actions):
        value = values[state, action]
        # One condition without short-circuiting: the comparison is hard to predict, so no branch should depend on it.
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
    """Draw an action with the given probabilities, by inversion of one uniform number; 0 if they are NaN."""
    chance = uniform(stream)
    cumulative = 0.0
    for action in range(actions):
        cumulative += probabilities[action]
        if chance < cumulative:
            return action
    return 0
