"""An agent and a distribution over MDPs of your own, in one file.

A configuration names it:

studies:
  mine:
    title: Thompson sampling on a small maze
    sources:
      runs:
        kind: plays
        environments: [accurate/corridor, inaccurate/corridor]
        mdps: 200
        distributions:
          corridor: {file: config/example_bayesian.py}
        agents:
          - agent: thompson
            file: config/example_bayesian.py
            parameters: {period: [1, 10]}
          - agent: e_greedy
            parameters: {epsilon: [0]}
"""

import numpy as np
from numba import njit

from surefoot.bayesian.mdp_distributions import Distribution, from_arrays
from surefoot.bayesian.posteriors import new_mean_model, q_iteration, reset_mean_model
from surefoot.bayesian.sampling import best, dirichlet
from surefoot.bayesian.trajectories import Problem, play_all


def corridor() -> Distribution:
    """Four cells in a row, two actions that lead on or back to the start with unknown chances; the last cell pays."""
    pseudo_counts = np.zeros((4, 2, 4))
    for cell in range(4):
        pseudo_counts[cell, :, 0] = 1.0
        pseudo_counts[cell, :, min(cell + 1, 3)] += [0.5, 2.0]
    return from_arrays(pseudo_counts, rewards=[0.0, 0.0, 0.0, 1.0])


@njit
def start(problem, parameters, memory, stream):
    """Forget the last trajectory."""
    posterior, _, _, age = memory
    posterior[:] = problem.prior
    age[0] = 0


@njit
def act(problem, parameters, memory, state, stream):
    """Every `period` decisions, draw an MDP from the posterior and solve it; play the best action of the last one."""
    posterior, sampled, model, age = memory
    if age[0] % int(parameters[0]) == 0:
        for x in range(sampled.shape[0]):
            for u in range(sampled.shape[1]):
                dirichlet(posterior[x, u], stream, sampled[x, u])
        reset_mean_model(model, sampled, problem.rewards)
        q_iteration(model, problem.discount, problem.horizon)
    age[0] += 1
    values = model.q.reshape(-1, len(model.values)).T  # by state and action
    return best(values, state, stream)


@njit
def observe(problem, parameters, memory, state, action, next_state, stream):
    """Count the transition."""
    memory[0][state, action, next_state] += 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def play(problem, parameters, mdps, key, first, record):
    """Play on these MDPs."""
    prior = problem.prior
    memory = (prior.copy(), np.empty(prior.shape), new_mean_model(prior), np.zeros(1, np.int64))
    play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)


def prepare(problem: Problem, key: np.ndarray, period: int) -> np.ndarray:
    """Nothing is learnt offline."""
    return np.array([period], dtype=np.float64)
