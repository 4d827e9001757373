"""Protocols other than that of a trial: runs of the same hyperparameters, drawn or given, and random policies.

Runs of the same hyperparameters are what tuning needs and a complete definition does not. A trial takes all its random
numbers from one stream: first the parameters of its environment, then its hyperparameters, then all else. Here the
environment is one that changes streams: after its own parameters it puts the trial's stream aside and that of the
candidate in its place, and it puts the trial's back when the first episode starts. So the hyperparameters are the
candidate's, all else is the trial's own, and the agents' kernels know nothing of it. Of a grid, the hyperparameters
themselves stand in place of the candidate's stream.

Random policies, never improved, are the reference of policy percentiles (Dabney 2014). What a random policy is, its
author leaves open: here every state of a table has an action drawn uniformly, so all deterministic policies of the
table are equally likely.
"""

import functools
from collections.abc import Callable, Sequence

import numpy as np
from numba import njit

from surefoot.registry import module_named
from surefoot.simulation.agents import sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.environments.perturbations import never
from surefoot.simulation.protocol import (
    DRAW,
    PERTURB,
    RESET,
    RESET_CONTINUOUS,
    ContinuousEnvironment,
    DiscreteEnvironment,
    world_and_definition,
)
from surefoot.streams import below, start_stream, stream_key

_WORDS = 9
"""Behind the environment's parameters: the candidate's stream, the trial's, and 1 while the trial's is put aside."""


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
    for number in range(candidates):
        start_stream(own, number, stream)
        simulate = definition(_with_stream(world, stream), **settings["algorithm_arguments"])
        simulate(performances[number], settings["episodes"], stream_key(seed, "repeat", *names, number), 0)
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
    for number, values in enumerate(grid):
        given = _with_stream(world, np.array(values, np.float64).view(np.uint64))
        simulate = simulator(sarsa.trial_with(world.actions), given, _draw_given, off_policy, False, 1.0)
        key = stream_key(seed, "grid", settings["algorithm"], settings["environment"], str(tuple(values)))
        simulate(performances[number], settings["episodes"], key, first_run)
    return performances


def _with_stream(
    world: DiscreteEnvironment | ContinuousEnvironment, stream: np.ndarray
) -> DiscreteEnvironment | ContinuousEnvironment:
    """The environment with this stream (uint64[4]) in place of the trial's while hyperparameters are drawn."""
    perturb, reset = _functions(type(world), world.perturb, world.reset)
    words = np.concatenate([stream, np.zeros(_WORDS - 4, np.uint64)])
    parameters = np.concatenate([np.array(world.parameters, np.float64), words.view(np.float64)])
    return world._replace(parameters=parameters, perturb=perturb, reset=reset)


@njit(DRAW, cache=True)
def _draw_given(hyperparameters, stream):
    """Those that stand in place of the stream."""
    hyperparameters[:] = stream.view(np.float64)


# Word by word: assigning an array to a part of another compiles the sentences of the error that shapes differ.
@njit(cache=True)
def _put_aside(parameters, stream):
    """Put the candidate's stream in place of the trial's."""
    words = parameters[len(parameters) - _WORDS :].view(np.uint64)
    for i in range(4):
        words[4 + i] = stream[i]
        stream[i] = words[i]
    words[8] = 1


@njit(cache=True)
def _put_back(parameters, stream):
    """Put the trial's stream back, once."""
    words = parameters[len(parameters) - _WORDS :].view(np.uint64)
    if words[8] == 1:
        for i in range(4):
            stream[i] = words[4 + i]
        words[8] = 0


@functools.cache
def _functions(kind: type, perturb_world: Callable, reset_world: Callable) -> tuple[Callable, Callable]:
    """`perturb` and `reset` of an environment of this kind with the change of streams."""

    @njit(PERTURB)
    def perturb(parameters, stream):
        perturb_world(parameters, stream)
        _put_aside(parameters, stream)

    if kind is DiscreteEnvironment:

        @njit(RESET)
        def reset(parameters, stream):
            _put_back(parameters, stream)
            return reset_world(parameters, stream)

    else:

        @njit(RESET_CONTINUOUS)
        def reset(parameters, state, stream):
            _put_back(parameters, stream)
            reset_world(parameters, state, stream)

    return perturb, reset


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


def _play_randomly(episodes, world, space, draw, options):
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
