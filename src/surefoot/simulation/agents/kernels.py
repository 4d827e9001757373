"""What the kernels of all agents share: signatures, how a trial begins, and how an environment is bound to one."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import float64, int64, njit, types, uint64

from surefoot.simulation.interfaces import (
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
from surefoot.streams import start_stream

Simulator = Callable[[np.ndarray, int, np.ndarray, int], int]
"""simulate(performances, episodes, key, first_trial); see `surefoot.simulation.protocol`."""

_TRIALS = (float64[::1], int64, uint64[::1], int64)

TABULAR = (float64[::1], *(types.FunctionType(signature) for signature in (PERTURB, RESET, STEP, DRAW)))
"""Parameters before `perturb`, and the functions of a discrete environment and of a definition."""

LINEAR = (
    *(int64, float64[::1], float64[::1], float64[::1]),
    *(types.FunctionType(signature) for signature in (PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, DRAW_LINEAR)),
)
"""Actions, low and high, parameters before `perturb`, and the functions of a continuous environment."""


def trials_kernel(*arguments: types.Type) -> Callable:
    """Decorator of a kernel `simulate(performances, episodes, key, first, *arguments)` -> number of steps."""
    return njit(int64(*_TRIALS, *arguments), cache=True, nogil=True, error_model="numpy")


@njit(inline="always")
def begin_trial(key, number, constants, perturb, stream):
    """Put `stream` at the beginning of a trial's; the parameters of its environment."""
    start_stream(key, number, stream)
    parameters = constants.copy()
    perturb(parameters, stream)
    return parameters


class World(NamedTuple):
    """The environment of a trial, discrete or continuous; see `interfaces`.

    parameters : as they are after `perturb`
    stream : uint64[4], the trial's
    reset, step : compiled functions of the environment
    """

    parameters: np.ndarray
    stream: np.ndarray
    reset: Callable
    step: Callable


def tabular_simulator(
    kernel: Callable, environment: DiscreteEnvironment, sizes: tuple[int, ...], draw: Callable, *options: object
) -> Simulator:
    """The kernel with an environment and a definition, ready to be called in several threads.

    Parameters
    ----------
    kernel : takes `sizes`, what `TABULAR` says, and `options`, in this order
    draw : compiled function that draws the hyperparameters
    """
    constants = np.array(environment.parameters)
    functions = (environment.perturb, environment.reset, environment.step, draw)

    def simulate(performances, episodes, key, first_trial):
        return kernel(performances, episodes, key, first_trial, *sizes, constants, *functions, *options)

    return simulate


def linear_simulator(
    kernel: Callable, environment: ContinuousEnvironment, draw: Callable, *options: object
) -> Simulator:
    """The same of a continuous environment; the kernel takes what `LINEAR` says, and `options`."""
    numbers = (np.array(row) for row in (environment.low, environment.high, environment.parameters))
    given = (environment.actions, *numbers, environment.perturb, environment.reset, environment.step, draw, *options)

    def simulate(performances, episodes, key, first_trial):
        return kernel(performances, episodes, key, first_trial, *given)

    return simulate
