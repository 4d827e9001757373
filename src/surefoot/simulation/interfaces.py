"""What environments and definitions hand to the agents' kernels: functions with declared signatures.

A kernel takes them as first-class functions, so that it is compiled once and not once a pair. An environment
or definition must therefore be compiled with exactly these signatures: `@njit(STEP, cache=True)`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import boolean, float64, int64, types, uint64

_PARAMETERS = float64[::1]
_STREAM = uint64[::1]

PERTURB = types.void(_PARAMETERS, _STREAM)
"""perturb(parameters, stream): draw the parameters that change from trial to trial, in place."""

RESET = int64(_PARAMETERS, _STREAM)
"""reset(parameters, stream) -> the state in which an episode starts."""

STEP = types.Tuple((int64, float64, boolean))(_PARAMETERS, int64, int64, int64, _STREAM)
"""step(parameters, state, action, steps, stream) -> (next state, reward, end of the episode).

`steps` is the number of steps of this episode before this one: an environment with a step limit ends the
episode itself, for the agents know no difference between a goal and a limit.
"""

STATE = float64[::1]
"""The state of a continuous environment: one number a variable."""

RESET_CONTINUOUS = types.void(_PARAMETERS, STATE, _STREAM)
"""reset(parameters, state, stream): write the state in which an episode starts."""

STEP_CONTINUOUS = types.Tuple((float64, boolean))(_PARAMETERS, STATE, int64, int64, _STREAM)
"""step(parameters, state, action, steps, stream) -> (reward, end of the episode); changes `state` in place."""

DRAW = types.void(_PARAMETERS, _STREAM)
"""draw(hyperparameters, stream): draw a vector of hyperparameters; its layout is the agent's."""

DRAW_LINEAR = types.void(_PARAMETERS, int64, int64, _STREAM)
"""draw(hyperparameters, dimensions, actions, stream): the same for linear function approximation.

The orders of the basis are among them, and step sizes may depend on the number of features and of actions.
"""


class DiscreteEnvironment(NamedTuple):
    """States 0..states-1 and actions 0..actions-1; `parameters` as they are before `perturb`."""

    states: int
    actions: int
    parameters: tuple[float, ...]
    perturb: Callable[..., None]
    reset: Callable[..., Any]
    step: Callable[..., Any]


class ContinuousEnvironment(NamedTuple):
    """Actions 0..actions-1; features are scaled with the ranges low..high; `parameters` as before `perturb`."""

    actions: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    parameters: tuple[float, ...]
    perturb: Callable[..., None]
    reset: Callable[..., Any]
    step: Callable[..., Any]
