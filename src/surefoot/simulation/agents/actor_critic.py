"""Tabular actor-critic, with a fixed or Parl2 step size of the critic (Jordan et al. 2020, section 3, Appendix E).

Softmax policy over clipped logits; the gradient of its logarithm ignores the clipping. Both traces accumulate and
decay alike. The Parl2 variant subtracts 0.01 ln pi(a|s) from the error of both, which the paper does not mention.
"""

import math
from collections.abc import Callable

import numpy as np
from numba import boolean, float64, int64, njit, types, uint64

from surefoot.simulation.agents.action_selection import sample, softmax
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

DISCOUNT, TRACE_DECAY, POLICY_STEP_SIZE, VALUE_STEP_SIZE = 0, 1, 2, 3
"""The layout of the hyperparameters: gamma, lambda, alpha_p, and alpha_v (with Parl2: the first alpha_v)."""

ENTROPY_BONUS = 0.01


@njit(inline="always")
def _episode(critic, actor, probabilities, hyperparameters, parameters, stream, reset, step, adaptive):
    """One episode; (its return, its number of steps). Parl2 lowers the step size in `hyperparameters`."""
    values, value_traces, value_traced = critic
    logits, policy_traces, policy_traced = actor
    discount = hyperparameters[DISCOUNT]
    decay = discount * hyperparameters[TRACE_DECAY]
    value_pending = nothing_pending()
    policy_pending = nothing_pending()
    total_reward = 0.0
    steps = 0
    state = reset(parameters, stream)
    terminal = False
    while not terminal:
        catch_up(values, value_traces, value_pending, state)
        catch_up(logits, policy_traces, policy_pending, state)
        value = values[state, 0]
        softmax(logits[state], probabilities)
        action = sample(probabilities, stream)
        next_state, reward, terminal = step(parameters, state, action, steps, stream)

        value_pending = fade(values, value_traces, value_traced, value_pending, decay)
        increase(value_traces, value_traced, value_pending, state, 0, 1.0)
        policy_pending = fade(logits, policy_traces, policy_traced, policy_pending, decay)
        for other in range(len(probabilities)):
            gradient = (1.0 if other == action else 0.0) - probabilities[other]
            increase(policy_traces, policy_traced, policy_pending, state, other, gradient)

        target = reward
        slope = -trace(value_traces, value_pending, state, 0)
        if not terminal:
            catch_up(values, value_traces, value_pending, next_state)
            target += discount * values[next_state, 0]
            slope += discount * trace(value_traces, value_pending, next_state, 0)
        error = target - value
        if adaptive:
            error -= ENTROPY_BONUS * math.log(probabilities[action])
            if slope < 0.0:
                hyperparameters[VALUE_STEP_SIZE] = min(hyperparameters[VALUE_STEP_SIZE], -1.0 / slope)
        if error == error:
            change = error * hyperparameters[VALUE_STEP_SIZE]
            value_pending = update(values, value_traces, value_traced, value_pending, change)
            change = error * hyperparameters[POLICY_STEP_SIZE]
            policy_pending = update(logits, policy_traces, policy_traced, policy_pending, change)
        state = next_state
        total_reward += reward
        steps += 1
    forget(values, value_traces, value_traced, value_pending)
    forget(logits, policy_traces, policy_traced, policy_pending)
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
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def _simulate(performances, episodes, key, first, states, actions, constants, perturb, reset, step, draw, adaptive):
    stream = np.empty(4, np.uint64)
    parameters = np.empty_like(constants)
    hyperparameters = np.empty(4)
    probabilities = np.empty(actions)
    critic = new_table(states, 1)
    actor = new_table(states, actions)
    all_steps = 0
    for trial in range(len(performances)):
        start_stream(key, first + trial, stream)
        parameters[:] = constants
        perturb(parameters, stream)
        draw(hyperparameters, stream)
        critic[0][:] = 0.0
        actor[0][:] = 0.0
        total_return = 0.0
        for _ in range(episodes):
            episode_return, steps = _episode(
                critic, actor, probabilities, hyperparameters, parameters, stream, reset, step, adaptive
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
    draw: Callable,
    adaptive: bool,
) -> int:
    """Fill `performances` (float64[trials]) with the trials numbered from `first_trial` on.

    Parameters
    ----------
    key : uint64[4], the family of streams of which trial number t uses member t
    draw : compiled function that draws the hyperparameters, laid out as above
    adaptive : lower the critic's step size as Parl2 does, and use its error

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
        adaptive,
    )
