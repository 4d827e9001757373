"""Protocols other than that of a trial: runs of the same hyperparameters, drawn or given, and random policies.

Runs of the same hyperparameters are what tuning needs and a complete definition does not. A trial takes all its random
numbers from one stream: first the parameters of its environment, then its hyperparameters, then all else. Here the
hyperparameters come from a stream of the candidate's, the same in all of its runs, and all else is the run's own. Of a
grid, the hyperparameters themselves stand in place of the candidate's stream.

Random policies, never improved, are the reference of policy percentiles (Dabney 2014). What a random policy is, its
author leaves open: here every state of a table has an action drawn uniformly, so all deterministic policies of the
table are equally likely.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit

from surefoot.registry import module_named
from surefoot.simulation.agents import sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.environments.perturbations import never
from surefoot.simulation.protocol import DRAW, world_and_definition
from surefoot.streams import below, start_stream, stream_key


def same_hyperparameters(settings: dict, modules: tuple[str, ...], seed: int, candidates: int, runs: int) -> np.ndarray:
    """Performances of several runs of each of several draws of an algorithm's hyperparameters in an environment.

    Parameters
    ----------
    settings, modules : the cell, from `registry.settings` and `registry.modules`
    seed : the study's seed; a run depends on it, on the names of the cell, and on the numbers of candidate and run
    candidates, runs : how many draws, and how many runs of each

    Returns
    -------
    float64[candidates, runs], the mean return over all episodes of each run
    """
    world, definition = world_and_definition(settings, modules)
    names = settings["algorithm"], settings["environment"]
    own = stream_key(seed, "hyperparameters", *names)
    performances, stream = np.empty((candidates, runs)), np.empty(4, np.uint64)
    simulate = definition(world, **settings["algorithm_arguments"])
    for number in range(candidates):
        start_stream(own, number, stream)
        simulate(performances[number], settings["episodes"], stream_key(seed, "repeat", *names, number), 0, stream)
    return performances


def hyperparameter_grid(
    settings: dict,
    modules: tuple[str, ...],
    seed: int,
    grid: Sequence[Sequence[float]],
    runs: int,
    first_run: int,
) -> np.ndarray:
    """Performances of several runs of Sarsa(lambda) or Q(lambda) over a table with each of several settings.

    Parameters
    ----------
    settings, modules : the cell, from `registry.settings` and `registry.modules`
    seed : the study's seed; a run depends on it, on the names of the cell, on its setting and on its number alone
    grid : the settings, each as discount, trace decay, exploration and step size
    runs, first_run : how many runs of each, and the number of the first

    Returns
    -------
    float64[settings, runs], the mean return over all episodes of each run
    """
    world, _ = world_and_definition(settings, modules)
    off_policy = settings["algorithm_arguments"]["target"] == "q"
    performances = np.empty((len(grid), runs))
    simulate = simulator(sarsa.trial_with(world.actions), world, _draw_given, off_policy, False, 1.0)
    for number, values in enumerate(grid):
        key = stream_key(seed, "grid", settings["algorithm"], settings["environment"], str(tuple(values)))
        given = np.array(values, np.float64).view(np.uint64)
        simulate(performances[number], settings["episodes"], key, first_run, given)
    return performances


@njit(DRAW, cache=True)
def _draw_given(hyperparameters, stream):
    """Those that stand in place of the stream."""
    given = stream.view(np.float64)
    for place in range(len(given)):
        hyperparameters[place] = given[place]


def random_policies(settings: dict, modules: tuple[str, ...], seed: int, policies: int, episodes: int) -> np.ndarray:
    """Performances of random policies in a discrete environment.

    Parameters
    ----------
    settings : the names and arguments of the environment: "environment" and "environment_arguments"
    modules : its module
    seed : the study's seed; a policy and its episodes depend on it, on the name and on the policy's number
    policies, episodes : how many policies, and episodes of each; the environment is perturbed once a policy, as it is
        once a trial

    Returns
    -------
    float64[policies], the mean return over the episodes of each policy
    """
    world = module_named(modules[0]).environment(**settings["environment_arguments"])
    performances = np.empty(policies)
    simulate = simulator(_play_randomly, world, never)  # a policy draws no hyperparameters
    simulate(performances, episodes, stream_key(seed, "random policies", settings["environment"]), 0)
    return performances


def _play_randomly(episodes, world, space, hyperparameters, options):
    """Episodes of a random policy in place of a trial; see `simulator`."""
    states, actions = space
    parameters, stream, reset, step = world
    chosen = np.empty(states, np.int64)
    for state in range(states):
        chosen[state] = below(stream, actions)
    total = 0.0
    all_steps = 0
    for _ in range(episodes):
        state, steps, terminal = reset(parameters, stream), 0, False
        while not terminal:
            state, reward, terminal = step(parameters, state, chosen[state], steps, stream)
            total += reward
            steps += 1
        all_steps += steps
    return total, all_steps
