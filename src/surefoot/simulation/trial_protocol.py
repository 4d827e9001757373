"""Protocol of a trial: its random numbers, and the functions that run it (Jordan et al. 2020, section 5).

A trial is one environment with newly drawn parameters and one new agent with newly drawn hyperparameters, run for a
fixed number of episodes; its performance is the arithmetic mean over all of these episodes of the undiscounted returns.

An environment's module defines `environment(**arguments)`, which returns a `DiscreteEnvironment` or a
`ContinuousEnvironment`. An algorithm's module defines `tabular(environment, **arguments)` for discrete environments and
`linear(environment, **arguments)` for continuous ones, which return a function

    simulate(performances, episodes, key, first_trial, candidate) -> the number of environment steps taken

This function fills `performances` (float64[trials]) with the trials numbered from `first_trial` on; trial number t
draws from member t of the family of streams `key` (uint64[4]). It is called in several threads at once. If `candidate`
is given (uint64[4]), the hyperparameters of each trial are drawn from that stream.

An environment of kind python is any object, such as a Gymnasium environment, for an algorithm's function
`run_trial(environment, episodes, rng, **arguments)`, which returns the performance. Plain Python is about a hundred
times slower than compiled kernels. All random numbers come from `rng`, a `numpy.random.Generator` seeded by the key and
the number of the trial. Each trial gets a new environment, which is closed afterwards.

A kernel receives the functions of environments and definitions as first-class functions with declared signatures, so
that it is compiled once instead of once per pair. An environment or definition must therefore be compiled with exactly
these signatures, as in `@njit(STEP, cache=True)`.

A cell is an algorithm in an environment, specified as plain data. Its trials run on several threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numba import boolean, float64, int64, types, uint64

from surefoot.errors import HintedError
from surefoot.registry import module_named
from surefoot.simulation.simulation_registry import PYTHON
from surefoot.streams import stream_key
from surefoot.workflow.measured_seconds import seconds_of_trial

_PARAMETERS = float64[::1]
_STREAM = uint64[::1]

PERTURB = types.void(_PARAMETERS, _STREAM)
"""Signature of perturb(parameters, stream), which draws the parameters that change from trial to trial, in place."""

RESET = int64(_PARAMETERS, _STREAM)
"""reset(parameters, stream) -> initial state of an episode."""

STEP = types.Tuple((int64, float64, boolean))(_PARAMETERS, int64, int64, int64, _STREAM)
"""step(parameters, state, action, steps, stream) -> (next state, reward, end of the episode).

`steps` is the number of previous steps in this episode. An environment with a step limit ends the episode itself, since
agents do not distinguish between a goal and a limit.
"""

STATE = float64[::1]
"""State of a continuous environment: one number per variable."""

RESET_CONTINUOUS = types.void(_PARAMETERS, STATE, _STREAM)
"""reset(parameters, state, stream): write the initial state of an episode."""

STEP_CONTINUOUS = types.Tuple((float64, boolean))(_PARAMETERS, STATE, int64, int64, _STREAM)
"""step(parameters, state, action, steps, stream) -> (reward, end of the episode); changes `state` in place."""

DRAW = types.void(_PARAMETERS, _STREAM)
"""Signature of draw(hyperparameters, stream), which draws a vector of hyperparameters in the agent's layout."""

DRAW_LINEAR = types.void(_PARAMETERS, int64, int64, _STREAM)
"""draw(hyperparameters, dimensions, actions, stream): the same for linear function approximation.

The hyperparameters include the orders of the basis, and step sizes may depend on the number of features and of actions.
"""


class DiscreteEnvironment(NamedTuple):
    """Environment with states 0..states-1 and actions 0..actions-1; `parameters` are the values before `perturb`."""

    states: int
    actions: int
    parameters: tuple[float, ...]
    perturb: Callable[..., None]
    reset: Callable[..., Any]
    step: Callable[..., Any]


class ContinuousEnvironment(NamedTuple):
    """Environment with real-valued states and actions 0..actions-1; features are scaled with the ranges low..high.

    `parameters` are the values before `perturb`.
    """

    actions: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    parameters: tuple[float, ...]
    perturb: Callable[..., None]
    reset: Callable[..., Any]
    step: Callable[..., Any]


def world_and_definition(
    settings: dict[str, Any], modules: tuple[str, ...]
) -> tuple[DiscreteEnvironment | ContinuousEnvironment, Callable[..., Any]]:
    """Return the environment of a cell, and the function that makes a simulator for its algorithm."""
    algorithm, environment = (module_named(name) for name in modules[:2])
    world = environment.environment(**settings["environment_arguments"])
    return world, algorithm.tabular if isinstance(world, DiscreteEnvironment) else algorithm.linear


def prepare(settings: dict[str, Any], modules: tuple[str, ...], seed: int) -> Callable[[np.ndarray, int], int]:
    """Compile all kernels of a cell, and return a function that simulates its trials.

    Parameters
    ----------
    settings, modules : dict, tuple of str
        The cell, from `registry.settings` and `registry.modules`.
    seed : int
        The study's seed. A trial's stream depends only on it, on the names of algorithm and environment, and on the
        trial's number.

    Returns
    -------
    simulate(performances, first_trial)
        Function that fills `performances` (float64[trials]) with the trials numbered from first_trial on, and returns
        the number of environment steps.
    """
    key = stream_key(seed, "simulate", settings["algorithm"], settings["environment"])
    if settings.get("kind") == PYTHON:
        algorithm, environment = (module_named(name) for name in modules[:2])
        return partial(_run_trials, settings, algorithm.run_trial, environment.environment, key)
    world, definition = world_and_definition(settings, modules)
    simulate = definition(world, **settings["algorithm_arguments"])
    return lambda performances, first_trial: simulate(performances, settings["episodes"], key, first_trial)


def _run_trials(
    settings: dict[str, Any],
    run_trial: Callable[..., float],
    new_environment: Callable[..., Any],
    key: np.ndarray,
    performances: np.ndarray,
    first_trial: int,
) -> int:
    """Run trials in plain Python; their steps are not counted.

    Raises
    ------
    HintedError
        If a performance is not a finite number.
    """
    for place in range(len(performances)):
        rng = np.random.default_rng([*key.tolist(), first_trial + place])
        world = new_environment(**settings["environment_arguments"])
        try:
            performance = run_trial(world, settings["episodes"], rng, **settings["algorithm_arguments"])
        finally:
            if hasattr(world, "close"):
                world.close()
        if not isinstance(performance, int | float | np.number) or not np.isfinite(performance):
            what = f"run_trial returns {performance!r} for trial {first_trial + place} in {settings['environment']}"
            raise HintedError(
                settings["algorithm"], what, "return a finite number, such as the mean return of the episodes"
            )
        performances[place] = performance
    return 0


SECONDS_PER_CHUNK = 0.05
"""Amount of work per thread call, in seconds: far above the cost of a call, and short enough for progress reports."""


def simulate_cell(
    settings: dict[str, Any],
    modules: tuple[str, ...],
    seed: int,
    first_trial: int,
    trials: int,
    threads: int,
    progress: Callable[[int], None] | None,
) -> np.ndarray:
    """Simulate the trials first_trial..first_trial+trials-1 of a cell.

    Parameters
    ----------
    settings, modules : dict, tuple of str
        The cell, from `registry.settings` and `registry.modules`.
    seed : int
        The study's seed, non-negative.
    first_trial, trials : int
        Number of the first trial, and number of trials. The result of a trial depends on its number, but not on which
        other trials are simulated.
    threads : int
        Number of threads; without effect on the result.
    progress : callable, optional
        Called occasionally with the number of trials done so far.

    Returns
    -------
    float64[trials]
        Mean return over all episodes of each trial.

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    if first_trial < 0 or trials < 1 or threads < 1:
        what = f"got first trial {first_trial}, {trials} trials, {threads} threads"
        hint = "start at trial 0 or later, with at least 1 trial and 1 thread"
        raise HintedError("trials", what, hint)
    fill = prepare(settings, modules, seed)
    performances = np.empty(trials)
    chunk = max(1, int(SECONDS_PER_CHUNK / seconds_of_trial(settings["algorithm"], settings["environment"])))
    done = 0
    pool = ThreadPoolExecutor(threads)
    try:
        parts = [performances[start : start + chunk] for start in range(0, trials, chunk)]
        futures = {pool.submit(fill, part, first_trial + chunk * i): len(part) for i, part in enumerate(parts)}
        for future in as_completed(futures):
            future.result()
            done += futures[future]
            if progress is not None:
                progress(done)
    finally:
        # After an interruption or error, pending chunks must not keep the process alive.
        pool.shutdown(cancel_futures=True)
    return performances
