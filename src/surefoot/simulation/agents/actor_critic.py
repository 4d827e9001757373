"""Tabular actor-critic, with a fixed or Parl2 step size of the critic (Jordan et al. 2020, section 3, Appendix E).

The policy is a softmax of clipped logits; the gradient of its logarithm ignores the clipping. The traces of policy and
critic accumulate and decay at the same rate. The Parl2 variant subtracts 0.01 ln pi(a|s) from the TD error in both
updates, which the paper does not mention.
"""

import functools
import math
from collections.abc import Callable

import numpy as np

from surefoot.simulation.agents.kernels import sample, softmax
from surefoot.simulation.agents.traces import (
    catch_up,
    forget,
    increase,
    new_table,
    nothing_pending,
    start_trace,
    trace,
    update,
)

DISCOUNT, TRACE_DECAY, POLICY_STEP_SIZE, VALUE_STEP_SIZE = range(4)
"""Indices of the hyperparameters: gamma, lambda, alpha_p, alpha_v (with Parl2: the initial alpha_v)."""

ENTROPY_BONUS = 0.01


@functools.cache
def trial_with(actions: int) -> Callable:
    """Return the function `trial` for an agent with the given number of actions.

    The number of actions is a constant of the closure, which halves the time.

    Options
    -------
    adaptive : bool
        Lower the critic's step size and change the TD error, as in Parl2.
    fraction : float
        Factor by which the critic's step size is multiplied; 1 except in the data of the published study of coverage.
    """

    def trial(episodes, world, space, hyperparameters, options):
        states, _ = space
        adaptive, fraction = options
        parameters, stream, reset, step = world
        discount = hyperparameters[DISCOUNT]
        decay = discount * hyperparameters[TRACE_DECAY]
        policy_step_size = hyperparameters[POLICY_STEP_SIZE]
        value_step_size = hyperparameters[VALUE_STEP_SIZE]
        probabilities = np.empty(actions)
        values, value_traces, value_traced = new_table(states, 1)
        logits, policy_traces, policy_traced = new_table(states, actions)
        total_return = 0.0
        all_steps = 0
        for _ in range(episodes):
            value_pending = nothing_pending()
            policy_pending = nothing_pending()
            total_reward = 0.0
            steps = 0
            state = reset(parameters, stream)
            terminal = False
            while not terminal:
                catch_up(values, value_traces, 1, value_pending, state)
                catch_up(logits, policy_traces, actions, policy_pending, state)
                value = values[state, 0]
                softmax(logits, actions, state, probabilities)
                action = sample(probabilities, actions, stream)
                next_state, reward, terminal = step(parameters, state, action, steps, stream)

                start_trace(value_traces, value_traced, 1, state)
                increase(value_traces, value_pending, state, 0, 1.0)
                start_trace(policy_traces, policy_traced, actions, state)
                for other in range(actions):
                    gradient = (1.0 if other == action else 0.0) - probabilities[other]
                    increase(policy_traces, policy_pending, state, other, gradient)

                target = reward
                slope = -trace(value_traces, value_pending, state, 0)
                if not terminal:
                    catch_up(values, value_traces, 1, value_pending, next_state)
                    target += discount * values[next_state, 0]
                    slope += discount * trace(value_traces, value_pending, next_state, 0)
                error = target - value
                if adaptive:
                    error -= ENTROPY_BONUS * math.log(probabilities[action])
                    if slope * value_step_size < -1.0:
                        value_step_size = -1.0 / slope
                change = error * (value_step_size * fraction) if error == error else 0.0
                value_pending = update(values, value_traces, value_traced, 1, value_pending, change, decay)
                change = error * policy_step_size if error == error else 0.0
                policy_pending = update(logits, policy_traces, policy_traced, actions, policy_pending, change, decay)
                state = next_state
                total_reward += reward
                steps += 1
            forget(values, value_traces, value_traced, 1, value_pending)
            forget(logits, policy_traces, policy_traced, actions, policy_pending)
            total_return += total_reward
            all_steps += steps
        return total_return, all_steps

    return trial
