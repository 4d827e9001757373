"""Distributions over MDPs: those of the paper against its tables, draws against exact moments, and bad input."""

import numpy as np
import pytest
from scipy import stats

from surefoot.bayesian import distributions
from surefoot.bayesian.sampling import draw_mdps
from surefoot.bayesian.sources.own_distributions import read_transitions


def support(distribution, state, action=0):
    return np.flatnonzero(distribution.pseudo_counts[state, action]).tolist()


def test_generalised_chain():
    chain = distributions.gc()
    assert chain.pseudo_counts.shape == (5, 3, 5)
    assert [support(chain, state, 2) for state in range(5)] == [[0, 1], [0, 2], [0, 3], [0, 4], [0, 4]]
    assert set(chain.pseudo_counts.ravel()) == {0.0, 1.0}
    assert chain.rewards[3, 1].tolist() == [2.0, 0.0, 0.0, 0.0, 10.0]


def test_generalised_double_loop():
    loops = distributions.gdl()
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
    world = distributions.grid()
    assert world.pseudo_counts.shape == (25, 4, 25)
    assert [support(world, 0, action) for action in (left, right, up, down)] == [[0], [0, 1], [0], [0, 5]]
    assert [support(world, 12, action) for action in (left, right, up, down)] == [[11, 12], [12, 13], [7, 12], [12, 17]]
    assert support(world, 19, down) == [0, 19]
    assert support(world, 23, right) == [0, 23]
    assert not world.pseudo_counts[:24, :, 24].any()
    assert np.argwhere(world.rewards).tolist() == [[19, down, 0], [23, right, 0]]
    assert set(world.rewards.ravel()) == {0.0, 10.0}


@pytest.mark.parametrize("make", [distributions.gc, distributions.gdl, distributions.grid])
def test_uniform_priors_change_the_counts_alone(make):
    prior = distributions.uniform(make())
    assert (prior.pseudo_counts == 1.0).all()
    assert (prior.rewards == make().rewards).all()


def test_draws_have_the_moments_of_the_dirichlet_distribution():
    """Means and variances of 20,000 draws for counts below, at and above 1; 18 tests at 1e-5 each: errs once in 5,000
    seeds."""
    counts = np.array([[[0.3, 1.0, 4.5], [2.0, 0.0, 0.1]], [[7.0, 7.0, 0.5], [1.0, 1.0, 1.0]], [[0.0, 3.0, 0.0]] * 2])
    made = distributions.from_arrays(counts, np.zeros(3))
    drawn = draw_mdps(made, 3, "moments", 0, 20_000)
    totals = counts.sum(axis=2, keepdims=True)
    means = counts / totals
    variances = counts * (totals - counts) / (totals**2 * (totals + 1.0))
    np.testing.assert_allclose(drawn.sum(axis=3), 1.0, rtol=1e-12)
    assert (drawn[:, counts == 0.0] == 0.0).all()
    assert (drawn[:, 2, :, 1] == 1.0).all()
    limit = stats.norm.isf(0.5e-5)
    errors = np.sqrt(variances / len(drawn))
    assert (np.abs(drawn.mean(axis=0) - means) <= limit * errors).all()
    squares = (drawn - means) ** 2
    assert (np.abs(squares.mean(axis=0) - variances) <= limit * squares.std(axis=0) / np.sqrt(len(drawn))).all()


def test_an_mdp_depends_on_its_number_alone():
    chain = distributions.gc()
    together = draw_mdps(chain, 1, "gc", 0, 10)
    assert (draw_mdps(chain, 1, "gc", 7, 1)[0] == together[7]).all()
    assert (draw_mdps(chain, 1, "other", 7, 1)[0] != together[7]).any()
    assert (draw_mdps(chain, 2, "gc", 7, 1)[0] != together[7]).any()


GOOD = [[[1, 1], [0, 2]], [[1, 0], [1, 1]]]


@pytest.mark.parametrize(
    ("counts", "rewards", "start", "message"),
    [
        (
            [[[1, 1], [0, 2]], [[1, 0], [-1, 1]]],
            [0, 1],
            0,
            "-1 for state 1, action 1, next state 0 is not a pseudo-count",
        ),
        ([[[1, 1], [0, 0]], [[1, 0], [1, 1]]], [0, 1], 0, "nothing is possible after action 1 in state 0"),
        ([[1, 1], [1, 1]], [0, 1], 0, r"shape \[2, 2\] is not a distribution"),
        ([[[1, 1], [2]], [[1, 0], [1, 1]]], [0, 1], 0, "pseudo_counts: not an array of numbers"),
        (GOOD, [0, 1, 2], 0, r"rewards: shape \[3\] does not fit"),
        (GOOD, [0, float("nan")], 0, "not all are finite"),
        (GOOD, [0, 1], 2, "2 is not a state. Hint: 0 to 1"),
    ],
)
def test_what_is_no_distribution_is_refused(counts, rewards, start, message):
    with pytest.raises(ValueError, match=message + ".* Hint: |" + message):
        distributions.from_arrays(counts, rewards, start)


def test_a_table_is_the_same_as_arrays(tmp_path):
    chain = distributions.gc()
    rows = [
        (*place, chain.pseudo_counts[tuple(place)], chain.rewards[tuple(place)])
        for place in np.argwhere(chain.pseudo_counts).tolist()
    ]
    path = tmp_path / "chain.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [distributions.COLUMNS, *rows]))
    read = distributions.from_rows(read_transitions(path))
    assert (read.pseudo_counts == chain.pseudo_counts).all()
    assert (read.rewards[chain.pseudo_counts > 0] == chain.rewards[chain.pseudo_counts > 0]).all()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("state,action,next_state,pseudo_count\n0,0,0,1", "column reward is missing"),
        ("state,action,next_state,pseudo_count,reward\n0,0,0,1,0\n0,0,0,1,0", "is listed twice"),
        ("state,action,next_state,pseudo_count,reward\n0,0,-1,1,0", "data row 1: .* number states and actions from 0"),
        ("state,action,next_state,pseudo_count,reward\n0,0,0.5,1,0", "data row 1: .* number states and actions"),
        ("state,action,next_state,pseudo_count,reward\n0,left,0,1,0", "data row 1: .*left.* give finite numbers"),
        ("state,action,next_state,pseudo_count,reward\n0,0,1,1,0", "nothing is possible after action 0 in state 1"),
    ],
)
def test_a_table_that_is_no_distribution_is_refused(tmp_path, rows, message):
    path = tmp_path / "table.csv"
    path.write_text(rows)
    with pytest.raises(ValueError, match=message):
        distributions.from_rows(read_transitions(path))


def test_what_a_distribution_allows_is_possible_in_every_mdp():
    """Small pseudo-counts are mostly drawn as 0; what agents make room for must not depend on the MDPs of a block."""
    counts = np.array([[[1e-3, 1e-3, 0.0]]] * 3)
    mdps = draw_mdps(distributions.from_arrays(counts, np.zeros(3)), 1, "tiny", 0, 50)
    assert (mdps < 1e-300).sum() > 50
    assert ((mdps > 0.0) == (counts > 0.0)).all()
    np.testing.assert_allclose(mdps.sum(axis=3), 1.0, rtol=1e-12)
