"""The protocol of a trial: which random numbers it gets and who makes it (Jordan et al. 2020, section 5).

A trial is one environment with newly drawn parameters and one newly made agent with newly drawn
hyperparameters, run for a fixed number of episodes; its performance is the arithmetic mean over all of
these episodes of the undiscounted returns.

An environment's module defines `environment(**arguments)`, which returns what `interfaces` describes. An
algorithm's module defines `tabular(environment, **arguments)` for discrete environments and `linear(environment,
**arguments)` for continuous ones, which return a function

    simulate(performances, episodes, key, first_trial) -> the number of environment steps taken

that fills `performances` (float64[trials]) with the trials numbered from `first_trial` on, trial number t drawing from
member t of the family of streams `key` (uint64[4]). It is called in several threads at once.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from surefoot.build.own_modules import imported
from surefoot.simulation.interfaces import ContinuousEnvironment, DiscreteEnvironment
from surefoot.streams import stream_key


def world_and_definition(
    settings: dict[str, Any], modules: tuple[str, ...]
) -> tuple[DiscreteEnvironment | ContinuousEnvironment, Callable[..., Any]]:
    """The environment of a cell, and what makes a simulator of its algorithm in such an environment."""
    algorithm, environment = (imported(name) for name in modules[:2])
    world = environment.environment(**settings["environment_arguments"])
    return world, algorithm.tabular if isinstance(world, DiscreteEnvironment) else algorithm.linear


def prepare(settings: dict[str, Any], modules: tuple[str, ...], seed: int) -> Callable[[np.ndarray, int], int]:
    """Make everything ready, compiled kernels included, to simulate trials of a cell.

    Parameters
    ----------
    settings, modules : the cell, from `registry.settings` and `registry.modules`
    seed : the study's seed; a trial's stream depends on it, on the names of the cell and on the trial's number alone

    Returns
    -------
    simulate(performances, first_trial), which fills `performances` (float64[trials]) with the trials numbered from
    first_trial on, and returns the number of environment steps
    """
    world, definition = world_and_definition(settings, modules)
    simulate = definition(world, **settings["algorithm_arguments"])
    key = stream_key(seed, "simulate", settings["algorithm"], settings["environment"])
    return lambda performances, first_trial: simulate(performances, settings["episodes"], key, first_trial)
