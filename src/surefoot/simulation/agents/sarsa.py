"""Tabular Sarsa(lambda) and Q(lambda), with a fixed or Parl2 step size (Jordan et al. 2020, section 3, Appendix E).

Accumulating traces, epsilon-greedy behaviour, the next action chosen before the update and kept. Q(lambda) is naive:
its target takes the largest value, exploration does not cut its traces.
"""

import numpy as np
from numba import boolean, float64, int64, njit, types, uint64

from surefoot.simulation.agents.action_selection import epsilon_greedy
from surefoot.simulation.agents.traces import (
    catch_up,
    fade,
    forget,
    increase,
    new_table,
    nothing_pending,
    trace,
    update,
)
from surefoot.simulation.interfaces import DRAW, PERTURB, RESET, STEP, DiscreteEnvironment
from surefoot.streams import start_stream

DISCOUNT, TRACE_DECAY, EXPLORATION, STEP_SIZE = 0, 1, 2, 3
"""The layout of the hyperparameters: gamma, lambda, epsilon, and alpha (with Parl2: the first alpha)."""


@njit(inline="always")
def _episode(weights, traces, traced, hyperparameters, parameters, stream, reset, step, off_policy, adaptive):
    """One episode; (its return, its number of steps). Parl2 lowers the step size in `hyperparameters`."""
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    epsilon = hyperparameters[EXPLORATION]
    step_size = hyperparameters[STEP_SIZE]
    pending = nothing_pending()
    total_reward = 0.0
    steps = 0
    state = reset(parameters, stream)
    action, _ = epsilon_greedy(weights[state], epsilon, stream)
    terminal = False
    while not terminal:
        catch_up(weights, traces, pending, state)
        error = -weights[state, action]
        next_state, reward, terminal = step(parameters, state, action, steps, stream)
        next_action = 0
        pending = fade(weights, traces, traced, pending, decay)
        increase(traces, traced, pending, state, action, 1.0)
        slope = -trace(traces, pending, state, action)
        if terminal:
            error += reward
        else:
            catch_up(weights, traces, pending, next_state)
            next_action, best = epsilon_greedy(weights[next_state], epsilon, stream)
            error += reward + discount * weights[next_state, best if off_policy else next_action]
            slope += discount * trace(traces, pending, next_state, next_action)
        if adaptive and slope < 0.0:
            step_size = min(step_size, -1.0 / slope)
        if error == error:
            pending = update(weights, traces, traced, pending, error * step_size)
        state, action = next_state, next_action
        total_reward += reward
        steps += 1
    forget(weights, traces, traced, pending)
    hyperparameters[STEP_SIZE] = step_size
    return total_reward, steps


@njit(
    int64(
        float64[::1],
        int64,
        uint64[::1],
        int64,
        int64,
        int64,
        float64[::1],
        types.FunctionType(PERTURB),
        types.FunctionType(RESET),
        types.FunctionType(STEP),
        types.FunctionType(DRAW),
        boolean,
        boolean,
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _simulate(
    performances, episodes, key, first, states, actions, constants, perturb, reset, step, draw, off_policy, adaptive
):
    stream = np.empty(4, np.uint64)
    parameters = np.empty_like(constants)
    hyperparameters = np.empty(4)
    weights, traces, traced = new_table(states, actions)
    all_steps = 0
    for trial in range(len(performances)):
        start_stream(key, first + trial, stream)
        parameters[:] = constants
        perturb(parameters, stream)
        draw(hyperparameters, stream)
        weights[:] = 0.0
        total_return = 0.0
        for _ in range(episodes):
            episode_return, steps = _episode(
                weights, traces, traced, hyperparameters, parameters, stream, reset, step, off_policy, adaptive
            )
            total_return += episode_return
            all_steps += steps
        performances[trial] = total_return / episodes
    return all_steps


def simulate(
    performances: np.ndarray,
    episodes: int,
    key: np.ndarray,
    first_trial: int,
    environment: DiscreteEnvironment,
    draw,
    off_policy: bool,
    adaptive: bool,
) -> int:
    """Fill `performances` (float64[trials]) with the trials numbered from `first_trial` on.

    Parameters
    ----------
    key : uint64[4], the family of streams of which trial number t uses member t
    draw : compiled function that draws the hyperparameters, laid out as above
    off_policy : Q(lambda) rather than Sarsa(lambda)
    adaptive : lower the step size as Parl2 does

    Returns
    -------
    the number of environment steps
    """
    return _simulate(
        performances,
        episodes,
        key,
        first_trial,
        environment.states,
        environment.actions,
        np.array(environment.parameters),
        environment.perturb,
        environment.reset,
        environment.step,
        draw,
        off_policy,
        adaptive,
    )
