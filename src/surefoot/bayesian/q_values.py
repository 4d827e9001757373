"""Exact Q-values of known MDPs by dynamic programming (Bellman, "Dynamic Programming", 1957).

The agents' own solvers stop early on purpose and are part of the agents; these here are for checks and bounds.
"""

import numpy as np


def q_values(mdp: np.ndarray, rewards: np.ndarray, discount: float) -> np.ndarray:
    """Q-values of the optimal policy for ever, by policy iteration.

    Parameters
    ----------
    mdp, rewards : float64[states, actions, states], transition probabilities and rewards
    discount : below 1

    Returns
    -------
    float64[states, actions]
    """
    states = np.arange(len(mdp))
    expected = (mdp * rewards).sum(axis=2)
    policy = expected.argmax(axis=1)
    while True:
        transitions = mdp[states, policy]
        values = np.linalg.solve(np.eye(len(mdp)) - discount * transitions, expected[states, policy])
        q = expected + discount * mdp @ values
        # A better action must be better beyond rounding, or equal ones would take turns for ever.
        better = q.max(axis=1) > q[states, policy] + 1e-12 * np.abs(q).max()
        if not better.any():
            return q
        policy = np.where(better, q.argmax(axis=1), policy)


def values_within(mdp: np.ndarray, rewards: np.ndarray, discount: float, horizon: int) -> np.ndarray:
    """Optimal expected returns of `horizon` decisions from each state, by backward induction: float64[states]."""
    expected = (mdp * rewards).sum(axis=2)
    values = np.zeros(len(mdp))
    for _ in range(horizon):
        values = (expected + discount * mdp @ values).max(axis=1)
    return values
