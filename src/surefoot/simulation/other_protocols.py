"""Additional protocols: repeated runs of the same hyperparameters, and random policies.

To study tuning, several runs need the same hyperparameters, whereas each trial of a complete definition draws new ones.
A trial takes all its random numbers from one stream: first the parameters of its environment, then its hyperparameters,
then everything else. Here the hyperparameters come from one stream for each candidate (a draw of hyperparameters),
which is the same in all runs of the candidate, and everything else from one stream for each run. For a grid, the
hyperparameters themselves are passed instead of the candidate's stream.

Random policies, which never improve, are the reference for policy percentiles (Dabney 2014). The author does not define
random policies. Here an action is drawn uniformly for every state of a table, so all deterministic policies are equally
likely.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit

from surefoot.registry import module_named
from surefoot.simulation.agents import sarsa
from surefoot.simulation.agents.agent_kernels import simulator
from surefoot.simulation.environments.perturbations import never
from surefoot.simulation.trial_protocol import DRAW, world_and_definition
from surefoot.streams import below, start_stream, stream_key


def same_hyperparameters(settings: dict, modules: tuple[str, ...], seed: int, candidates: int, runs: int) -> np.ndarray:
    """Simulate several runs with each of several draws of an algorithm's hyperparameters.

    Parameters
    ----------
    settings, modules : dict, tuple of str
        The algorithm and the environment, from `registry.settings` and `registry.modules`.
    seed : int
        The study's seed. A run depends on it, on the names of algorithm and environment, and on the numbers of
        candidate and run.
    candidates, runs : int
        Number of draws, and number of runs per draw.

    Returns
    -------
    float64[candidates, runs]
        Mean return over all episodes of each run.
    """
    world, definition = world_and_definition(settings, modules)
    names = settings["algorithm"], settings["environment"]
    draws_key = stream_key(seed, "hyperparameters", *names)
    performances = np.empty((candidates, runs))
    stream = np.empty(4, np.uint64)
    simulate = definition(world, **settings["algorithm_arguments"])
    for number in range(candidates):
        start_stream(draws_key, number, stream)
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
    """Simulate several runs of tabular Sarsa(lambda) or Q(lambda) with each of several settings.

    Parameters
    ----------
    settings, modules : dict, tuple of str
        The algorithm and the environment, from `registry.settings` and `registry.modules`.
    seed : int
        The study's seed. A run depends only on it, on the names of algorithm and environment, and on the setting and
        the number of the run.
    grid : sequence of sequence of float
        Settings, each as discount, trace decay, exploration and step size.
    runs, first_run : int
        Number of runs per setting, and number of the first run.

    Returns
    -------
    float64[settings, runs]
        Mean return over all episodes of each run.
    """
    world, _ = world_and_definition(settings, modules)
    off_policy = settings["algorithm_arguments"]["target"] == "q"
    performances = np.empty((len(grid), runs))
    simulate = simulator(sarsa.trial_with(world.actions), world, _draw_given, off_policy, False, 1.0)
    for number, values in enumerate(grid):
        key = stream_key(seed, "grid", settings["algorithm"], settings["environment"], str(tuple(values)))
        hyperparameters = np.array(values, np.float64).view(np.uint64)
        simulate(performances[number], settings["episodes"], key, first_run, hyperparameters)
    return performances


@njit(DRAW, cache=True)
def _draw_given(hyperparameters, stream):
    """Copy the hyperparameters that were passed instead of a stream."""
    values = stream.view(np.float64)
    for place in range(len(values)):
        hyperparameters[place] = values[place]


def random_policies(settings: dict, modules: tuple[str, ...], seed: int, policies: int, episodes: int) -> np.ndarray:
    """Simulate random policies in a discrete environment.

    Parameters
    ----------
    settings : dict
        Name and arguments of the environment: "environment" and "environment_arguments".
    modules : tuple of str
        The environment's module.
    seed : int
        The study's seed. A policy and its episodes depend on it, on the environment's name and on the policy's number.
    policies, episodes : int
        Number of policies, and of episodes for each. The environment is perturbed once per policy, as in a trial.

    Returns
    -------
    float64[policies]
        Mean return over the episodes of each policy.
    """
    world = module_named(modules[0]).environment(**settings["environment_arguments"])
    performances = np.empty(policies)
    simulate = simulator(_play_randomly, world, never)  # a policy draws no hyperparameters
    simulate(performances, episodes, stream_key(seed, "random policies", settings["environment"]), 0)
    return performances


def _play_randomly(episodes, world, space, hyperparameters, options):
    """Play episodes of a random policy; the signature is that of `trial` in `simulator`."""
    states, actions = space
    parameters, stream, reset, step = world
    chosen = np.empty(states, np.int64)
    for state in range(states):
        chosen[state] = below(stream, actions)
    total = 0.0
    all_steps = 0
    for _ in range(episodes):
        state = reset(parameters, stream)
        steps = 0
        terminal = False
        while not terminal:
            state, reward, terminal = step(parameters, state, chosen[state], steps, stream)
            total += reward
            steps += 1
        all_steps += steps
    return total, all_steps
