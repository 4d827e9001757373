"""The game: against its definition as loops over pairs of strategies and a dense solution; payoffs: printed digits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from surefoot.questions import game as questions
from surefoot.questions.coverage import coverage
from surefoot.statistics.game import evaluation_game as game
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import samples_from_runs


@pytest.fixture(params=[0, game.SMALL], ids=["iteration", "elimination"], autouse=True, scope="module")
def solver(request):
    """Games are solved by iteration, or, if they are small, by elimination."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "SMALL", request.param)
        yield


def plain_scores(z):
    """Scores and weights by the letter: every pair of strategies compared, one dense system an algorithm."""
    n, m, _ = z.shape
    strategies = [(i, j, k) for i in range(n) for j in range(m) for k in range(n)]
    eta, size = 1 / ((n - 1) + (n * m - 1)), len(strategies)
    c = np.zeros((size, size))
    for a, (i, j, k) in enumerate(strategies):
        for b, (i2, j2, k2) in enumerate(strategies):
            p_moves, q_moves = i != i2, (j, k) != (j2, k2)
            if p_moves == q_moves:
                continue
            sign = 1 if p_moves else -1
            here, there = sign * z[i, j, k], sign * z[i2, j2, k2]
            if there > here:
                c[a, b] = eta
            elif abs(there - here) <= np.sqrt(2.0**-52) * max(abs(there), abs(here)):
                c[a, b] = eta / 50
        c[a, a] = 1 - c[a].sum()
    gamma = (size - 1) / size
    values = [
        np.linalg.solve(np.eye(size) - gamma * c, [z[i, j, k] for (_, j, k) in strategies]).sum() * (1 - gamma) / size
        for i in range(n)
    ]
    d = np.linalg.solve((np.eye(size) - gamma * c).T, np.full(size, (1 - gamma) / size))
    return np.array(values), d.reshape(n, m, n).sum(axis=0)


CLOSE = [0.0, 0.5 - 6e-9, 0.5, 0.5 + 6e-9, 0.5 + 1.2e-8, 0.75, 0.75 * (1 + 2e-8), 1.0]


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(1, 3))
def test_any_payoffs_ties_and_near_ties_against_the_definition(data, n, m):
    entries = data.draw(st.sampled_from([st.floats(0, 1), st.sampled_from(CLOSE), st.sampled_from([0.0, 1.0])]))
    z = data.draw(arrays(np.float64, (n, m, n), elements=entries))
    scores, weights = game.play(z)
    plain, plain_weights = plain_scores(z)
    assert scores == pytest.approx(plain, abs=1e-10)
    assert weights == pytest.approx(plain_weights, abs=1e-10)
    assert ((scores >= -1e-12) & (scores <= 1 + 1e-12)).all()
    assert weights.sum() == pytest.approx(1, abs=1e-12)


def test_elimination_takes_over_where_the_iteration_fails(cross_check_samples, monkeypatch):
    z = payoffs(cross_check_samples)
    expected = game.play(z)
    monkeypatch.setattr(game, "opponent_weights", lambda z: (np.full(z.shape[1], np.nan), False))
    assert game.play(z).scores == pytest.approx(expected.scores, abs=1e-13)


def test_games_that_are_none_are_refused():
    with pytest.raises(ValueError, match="at least two algorithms"):
        game.play(np.full((1, 3, 1), 0.5))


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    z = payoffs(cross_check_samples)
    assert z[0, 0] == pytest.approx([0.5, 0.5136111111, 0.4783333333], abs=5e-11)
    assert z[2, 1] == pytest.approx([0.4555555556, 0.4602777778, 0.5], abs=5e-11)


def test_a_shared_sample_has_exactly_one_half(run_table):
    scores = {("a", "x"): [1, 2, 2], ("a_s", "x"): [1, 2, 2], ("b", "x"): [1, 2, 2]}
    z = payoffs(samples_from_runs(run_table(scores, {("a_s", "x"): "a"})))
    assert z[0, 0].tolist()[:2] == [0.5, 0.5]
    assert z[0, 0, 2] == z[1, 0, 2] == pytest.approx((1 + 3 + 3) / 9)


def test_tasks_of_arrays_have_numbers_for_names():
    runs = {name: np.random.default_rng(place).normal(size=(12, 2)) for place, name in enumerate("ab")}
    sample = {"algorithm": "a", "environment": "1", "sizes": [3]}
    assert set(questions.sample_distributions(runs, skip_checks=True, **sample).table()["size"]) == {3, 12}
    cut = coverage(runs, skip_checks=True, sizes=[2, 3], datasets=2, design="cut", methods=["pbp"])
    assert cut.table()["size"].tolist() == [2, 3]


@pytest.mark.parametrize("size", [1, 2, 17, 300])
def test_strategies_are_sorted_stably(size):
    """Beside numpy's stable sort of values with ties."""
    values = np.random.default_rng(size).integers(0, 20, size).astype(np.float64)
    order = np.empty(size, np.int64)
    game._sort_places(values, order)
    np.testing.assert_array_equal(order, np.argsort(values, kind="stable"))
