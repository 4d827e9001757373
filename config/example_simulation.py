"""An algorithm and an environment of your own, in one file.

A configuration names it:

studies:
  mine:
    title: Expected Sarsa on a cliff
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, q, expected_sarsa]
        environments: [chain_10_stochastic, cliff]
        trials: 1000
        user_defined:
          algorithms:
            expected_sarsa: {file: config/example_simulation.py}
          environments:
            cliff:
              file: config/example_simulation.py
              arguments: {length: 8}
              kind: discrete
              episodes: 200
              returns: [-3300, -9]
"""

from collections.abc import Callable

import numpy as np
from numba import njit

from surefoot.simulation.agents.agent_kernels import epsilon_greedy, simulator
from surefoot.simulation.agents.hyperparameter_distributions import discount, tabular_step_size
from surefoot.simulation.trial_protocol import DRAW, PERTURB, RESET, STEP, DiscreteEnvironment
from surefoot.streams import uniform

LENGTH = 0
DISCOUNT, EXPLORATION, STEP_SIZE = 0, 1, 2
"""The layouts of the environment's parameters and of the algorithm's hyperparameters."""

HEIGHT, FALL, MOVES_PER_CELL = 4, -100.0, 1


@njit(PERTURB, cache=True)
def perturb(parameters, stream):
    """Nothing changes from trial to trial."""


@njit(RESET, cache=True)
def reset(parameters, stream):
    """Every episode starts at the left end of the edge; states are numbered row by row."""
    return (HEIGHT - 1) * int(parameters[LENGTH])


@njit(STEP, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Up, down, left, right for -1; between the two ends of the edge one falls, for -100, and starts again."""
    length = int(parameters[LENGTH])
    y, x = state // length, state % length
    y += (action == 1) - (action == 0)
    x += (action == 3) - (action == 2)
    y, x = min(max(y, 0), HEIGHT - 1), min(max(x, 0), length - 1)
    on_edge = y == HEIGHT - 1
    falls = on_edge and 0 < x < length - 1
    x = 0 if falls else x
    ends = (on_edge and x == length - 1) or steps + 1 >= MOVES_PER_CELL * HEIGHT * length
    return y * length + x, FALL if falls else -1.0, ends


def environment(length: int) -> DiscreteEnvironment:
    """Return the cliff of this length (Sutton and Barto 2018, Example 6.6)."""
    return DiscreteEnvironment(HEIGHT * length, 4, (float(length),), perturb, reset, step)


@njit(DRAW, cache=True)
def draw(hyperparameters, stream):
    """Draw gamma = 1 - LU(1e-4, 0.05), epsilon ~ U(0, 0.1), alpha ~ LU(1e-3, 0.1)."""
    hyperparameters[DISCOUNT] = discount(stream)
    hyperparameters[EXPLORATION] = 0.1 * uniform(stream)
    hyperparameters[STEP_SIZE] = tabular_step_size(stream)


def trial(episodes, world, space, hyperparameters, options):
    """One-step expected Sarsa: the target takes the mean of the next values under the policy."""
    parameters, stream, reset, step = world
    states, actions = space
    epsilon = hyperparameters[EXPLORATION]
    values = np.zeros((states, actions))
    total, all_steps = 0.0, 0
    for _ in range(episodes):
        state, steps, terminal = reset(parameters, stream), 0, False
        while not terminal:
            action, _ = epsilon_greedy(values, actions, state, epsilon, stream)
            following, reward, terminal = step(parameters, state, action, steps, stream)
            expected = epsilon * values[following].mean() + (1.0 - epsilon) * values[following].max()
            target = reward + (0.0 if terminal else hyperparameters[DISCOUNT] * expected)
            values[state, action] += hyperparameters[STEP_SIZE] * (target - values[state, action])
            total += reward
            state, steps = following, steps + 1
        all_steps += steps
    return total, all_steps


def tabular(environment: DiscreteEnvironment) -> Callable:
    """Return Expected Sarsa over a table, a complete definition; see `surefoot.simulation.trial_protocol`."""
    return simulator(trial, environment, draw)
