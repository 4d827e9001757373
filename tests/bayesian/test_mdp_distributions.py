"""Distributions over MDPs: those of the paper against its tables, draws against exact moments, and bad input."""

import numpy as np
import pytest

from surefoot.bayesian import mdp_distributions


def support(distribution, state, action=0):
    return np.flatnonzero(distribution.pseudo_counts[state, action]).tolist()


def test_generalised_chain():
    chain = mdp_distributions.gc()
    assert chain.pseudo_counts.shape == (5, 3, 5)
    assert [support(chain, state, 2) for state in range(5)] == [[0, 1], [0, 2], [0, 3], [0, 4], [0, 4]]
    assert set(chain.pseudo_counts.ravel()) == {0.0, 1.0}
    assert chain.rewards[3, 1].tolist() == [2.0, 0.0, 0.0, 0.0, 10.0]


def test_generalised_double_loop():
    loops = mdp_distributions.gdl()
    expected = [[1, 5], [2], [3], [4], [0], [0, 6], [0, 7], [0, 8], [0]]
    assert [support(loops, state, 1) for state in range(9)] == expected
    assert {tuple(place): loops.rewards[tuple(place)] for place in np.argwhere(loops.rewards).tolist()} == {
        (4, 0, 0): 1.0,
        (4, 1, 0): 1.0,
        (8, 0, 0): 2.0,
        (8, 1, 0): 2.0,
    }


def test_grid():
    left, right, up, down = range(4)
    world = mdp_distributions.grid()
    assert world.pseudo_counts.shape == (25, 4, 25)
    assert [support(world, 0, action) for action in (left, right, up, down)] == [[0], [0, 1], [0], [0, 5]]
    assert [support(world, 12, action) for action in (left, right, up, down)] == [[11, 12], [12, 13], [7, 12], [12, 17]]
    assert support(world, 19, down) == [0, 19]
    assert support(world, 23, right) == [0, 23]
    assert not world.pseudo_counts[:24, :, 24].any()
    assert np.argwhere(world.rewards).tolist() == [[19, down, 0], [23, right, 0]]
    assert set(world.rewards.ravel()) == {0.0, 10.0}


@pytest.mark.parametrize("make", [mdp_distributions.gc, mdp_distributions.gdl, mdp_distributions.grid])
def test_uniform_priors_change_the_counts_alone(make):
    prior = mdp_distributions.uniform(make())
    assert (prior.pseudo_counts == 1.0).all()
    assert (prior.rewards == make().rewards).all()


GOOD = [[[1, 1], [0, 2]], [[1, 0], [1, 1]]]


@pytest.mark.parametrize(
    ("counts", "rewards", "start", "message"),
    [
        (
            [[[1, 1], [0, 2]], [[1, 0], [-1, 1]]],
            [0, 1],
            0,
            r"the values for action 1 in state 1 are \[-1.0, 1.0\]",
        ),
        ([[[1, 1], [0, 0]], [[1, 0], [1, 1]]], [0, 1], 0, r"the values for action 1 in state 0 are \[0.0, 0.0\]"),
        ([[1, 1], [1, 1]], [0, 1], 0, r"shape \[2, 2\] is not a distribution"),
        ([[[1, 1], [2]], [[1, 0], [1, 1]]], [0, 1], 0, "pseudo_counts: not an array of numbers"),
        (GOOD, [0, 1, 2], 0, r"rewards: shape \[3\] does not fit"),
        (GOOD, [0, float("nan")], 0, "some values are not finite"),
        (GOOD, [0, 1], 2, "2 is not a state. Hint: use 0 to 1"),
    ],
)
def test_what_is_no_distribution_is_refused(counts, rewards, start, message):
    with pytest.raises(ValueError, match=message + ".* Hint: |" + message):
        mdp_distributions.from_arrays(counts, rewards, start)
