"""Tabular Sarsa(lambda) and Q(lambda), with a fixed or Parl2 step size (Jordan et al. 2020, section 3, Appendix E).

Traces accumulate, behaviour is epsilon-greedy, and the next action is chosen before the update and then executed.
Q(lambda) is naive: its target uses the largest value, and exploration does not cut its traces.
"""

import functools
from collections.abc import Callable

from surefoot.simulation.agents.kernels import epsilon_greedy
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

DISCOUNT, TRACE_DECAY, EXPLORATION, STEP_SIZE = range(4)
"""Indices of the hyperparameters: gamma, lambda, epsilon, alpha (with Parl2: the initial alpha)."""


@functools.cache
def trial_with(actions: int) -> Callable:
    """Return the function `trial` for an agent with the given number of actions.

    The number of actions is a constant of the closure, which halves the time.

    Options
    -------
    off_policy : bool
        Q(lambda) rather than Sarsa(lambda).
    adaptive : bool
        Lower the step size as in Parl2.
    fraction : float
        Factor by which the step size is multiplied; 1 except in the data of the published study of coverage.
    """

    def trial(episodes, world, space, hyperparameters, options):
        states, _ = space
        off_policy, adaptive, fraction = options
        parameters, stream, reset, step = world
        discount = hyperparameters[DISCOUNT]
        decay = discount * hyperparameters[TRACE_DECAY]
        epsilon = hyperparameters[EXPLORATION]
        weights, traces, traced = new_table(states, actions)
        total_return = 0.0
        all_steps = 0
        for _ in range(episodes):
            pending = nothing_pending()
            total_reward = 0.0
            steps = 0
            state = reset(parameters, stream)
            action, _ = epsilon_greedy(weights, actions, state, epsilon, stream)
            terminal = False
            while not terminal:
                catch_up(weights, traces, actions, pending, state)
                value = weights[state, action]
                next_state, reward, terminal = step(parameters, state, action, steps, stream)
                start_trace(traces, traced, actions, state)
                increase(traces, pending, state, action, 1.0)
                slope = -trace(traces, pending, state, action)
                target = reward
                next_action = 0
                if not terminal:
                    catch_up(weights, traces, actions, pending, next_state)
                    next_action, best = epsilon_greedy(weights, actions, next_state, epsilon, stream)
                    target += discount * weights[next_state, best if off_policy else next_action]
                    slope += discount * trace(traces, pending, next_state, next_action)
                error = target - value
                # Updated in place: a separate variable would cost a sixth of the time when the step size is fixed.
                if adaptive and slope * hyperparameters[STEP_SIZE] < -1.0:
                    hyperparameters[STEP_SIZE] = -1.0 / slope
                change = error * (hyperparameters[STEP_SIZE] * fraction) if error == error else 0.0
                pending = update(weights, traces, traced, actions, pending, change, decay)
                state = next_state
                action = next_action
                total_reward += reward
                steps += 1
            forget(weights, traces, traced, actions, pending)
            total_return += total_reward
            all_steps += steps
        return total_return, all_steps

    return trial
