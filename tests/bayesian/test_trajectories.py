"""The loop of decisions: scores of the record's own transitions, streams by number, times, repetitions."""

import numpy as np
import pytest

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, distribution_of, learn, play
from surefoot.bayesian.sampling import draw_mdps

RANDOM = Cell(**bayesian_registry.cell("random", {}, "accurate/gc", seed=1))
NOTHING = np.empty(0)


def test_a_score_is_the_discounted_sum_of_its_rewards():
    record = play(RANDOM, NOTHING, 0, 20, transitions=True)
    rewards = distribution_of(RANDOM.test).rewards
    for score, transitions in zip(record.scores, record.transitions, strict=True):
        assert len(transitions) == 250
        assert transitions[0, 0] == 0
        assert (transitions[1:, 0] == transitions[:-1, 2]).all()
        expected = sum(0.95**t * rewards[tuple(transition)] for t, transition in enumerate(transitions.tolist()))
        assert score == pytest.approx(expected, rel=1e-12)


def test_transitions_follow_the_mdp():
    """Frequencies of each (state, action, next state) in 40 x 250 transitions of the random agent, on MDPs of its own:
    every z-value within 5, some 1,200 of them: errs once in 1,000 seeds."""
    record = play(RANDOM._replace(seed=2), NOTHING, 0, 40, transitions=True)
    mdps = draw_mdps(distribution_of(RANDOM.test), 2, RANDOM.experiment, 0, 40)
    for mdp, transitions in zip(mdps, record.transitions, strict=True):
        counts = np.zeros_like(mdp)
        np.add.at(counts, tuple(transitions.T), 1.0)
        assert (counts[mdp == 0.0] == 0.0).all()
        visits = counts.sum(axis=2, keepdims=True)
        spread = np.sqrt(visits * mdp * (1.0 - mdp))
        enough = spread > 2.0
        assert (np.abs(counts - visits * mdp)[enough] <= 5.0 * spread[enough]).all()


def test_a_trajectory_depends_on_its_number_alone():
    scores = play(RANDOM, NOTHING, 0, 12).scores
    assert (play(RANDOM, NOTHING, 5, 3, seconds=1e-4, decisions=True).scores == scores[5:8]).all()
    assert (play(RANDOM._replace(environment="inaccurate/gc"), NOTHING, 0, 12).scores != scores).any()


def test_the_times_of_decisions_add_up_to_the_trajectory():
    """Two clocks, wall time the least of some repetitions, read 250 times: within a factor of 20."""
    record = play(RANDOM, NOTHING, 0, 5, seconds=1e-4, decisions=True)
    assert record.decisions.shape == (5, 250)
    assert (record.decisions >= 0.0).all()
    sums = record.decisions.sum(axis=1)
    assert (sums < 20.0 * record.seconds).all()
    assert (record.seconds < 20.0 * sums).all()


def test_several_trajectories_are_new_starts_on_the_same_mdps():
    one, three = (play(RANDOM, NOTHING, 2, 4, decisions=True, transitions=True, trajectories=n) for n in (1, 3))
    assert three.transitions.shape == (4, 750, 3)
    assert three.decisions.shape == (4, 750)
    parts = np.split(three.transitions, 3, axis=1)
    assert (parts[0] == one.transitions).all()
    assert (parts[1] != parts[0]).any(axis=(1, 2)).all()
    assert (parts[1] != parts[2]).any(axis=(1, 2)).all()
    assert all((part[:, 0, 0] == 0).all() for part in parts)
    rewards = distribution_of(RANDOM.test).rewards
    returns = [(0.95 ** np.arange(250) * rewards[tuple(part.T)].T).sum(axis=1) for part in parts]
    np.testing.assert_allclose(three.scores, np.mean(returns, axis=0), rtol=1e-12)


def test_a_failure_leaves_earlier_transitions_and_no_times():
    """X0 / X1 fails at once, where X1 is 0; X1 / X2 at the end of no trajectory."""
    for formula, fails in (("X0 X1 DIV", True), ("X1 X2 DIV", False)):
        cell = Cell(**bayesian_registry.cell("formula", {"formula": formula}, "accurate/gc", seed=1))
        record = play(cell, learn(cell)[0], 0, 6, decisions=True, transitions=True)
        assert np.isnan(record.scores).all() == fails
        assert np.isnan(record.decisions).all() == fails
        made = (record.transitions >= 0).all(axis=2)
        assert ((record.transitions == -1).all(axis=2) == ~made).all()
        assert (np.diff(made.astype(int), axis=1) <= 0).all()
        assert made[:, -1].any() != fails
