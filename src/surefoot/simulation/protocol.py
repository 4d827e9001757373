"""The protocol of a trial: which random numbers it gets and who makes it (Jordan et al. 2020, section 5).

A trial is one environment with newly drawn parameters and one newly made agent with newly drawn
hyperparameters, run for a fixed number of episodes; its performance is the arithmetic mean over all of
these episodes of the undiscounted returns.

An environment's module defines `environment(**arguments)`, which returns what `interfaces` describes. An
algorithm's module defines `simulate_tabular(environment, episodes, key, first_trial, performances,
**arguments)`, which fills `performances` with the trials numbered from first_trial on and returns the number
of environment steps they took.
"""

from importlib import import_module

import numpy as np

from surefoot.streams import stream_key


def simulate_block(settings: dict, modules: tuple, seed: int, first_trial: int, performances: np.ndarray) -> int:
    """Simulate as many trials of a cell as `performances` (float64[trials], overwritten) has room for.

    Parameters
    ----------
    settings, modules : the cell, from `registry.settings` and `registry.modules`
    seed : the study's seed
    first_trial : number of the first trial; a trial's stream depends on seed, names and its number alone

    Returns
    -------
    the number of environment steps
    """
    key = stream_key(seed, "simulate", settings["algorithm"], settings["environment"])
    algorithm, environment = (import_module(name) for name in modules[:2])
    return algorithm.simulate_tabular(
        environment.environment(**settings["environment_arguments"]),
        settings["episodes"],
        key,
        first_trial,
        performances,
        **settings["algorithm_arguments"],
    )
