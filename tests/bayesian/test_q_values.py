"""Exact Q-values against a closed form and against value iteration run to the end."""

import numpy as np

from surefoot.bayesian.q_values import q_values, values_within


def test_two_states_in_closed_form():
    mdp = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    rewards = np.zeros((2, 2, 2))
    rewards[1, 0, 1] = 1.0
    q = q_values(mdp, rewards, 0.9)
    np.testing.assert_allclose(q, [[0.9 * 9.0, 9.0], [10.0, 0.9 * 9.0]], rtol=1e-12)


def test_random_mdps_against_value_iteration():
    random = np.random.default_rng(4)
    for _ in range(20):
        mdp, rewards = random.dirichlet(np.full(6, 0.5), (6, 3)), random.normal(size=(6, 3, 6))
        q = np.zeros((6, 3))
        for _ in range(400):
            q = (mdp * (rewards + 0.9 * q.max(axis=1))).sum(axis=2)
        np.testing.assert_allclose(q_values(mdp, rewards, 0.9), q, atol=1e-10)
        np.testing.assert_allclose(values_within(mdp, rewards, 0.9, 400), q.max(axis=1), atol=1e-10)


def test_equal_actions_do_not_take_turns():
    mdp = np.full((3, 4, 3), 1.0 / 3.0)
    np.testing.assert_allclose(q_values(mdp, np.full((3, 4, 3), 0.7), 0.95), 14.0, rtol=1e-9)
