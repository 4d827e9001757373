"""alpha-Rank at finite alpha: against the formula, powers of its matrix, and its limit."""

import numpy as np
import pytest

from surefoot.statistics.game.alpha_rank import alpha_game, alpha_sweep, moves
from surefoot.statistics.game.evaluation_game import move_matrix, play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import samples_from_runs


def random_payoffs(seed, n, m, steps):
    z = np.random.default_rng(seed).integers(0, steps + 1, (n, m, n)) / steps
    z[np.arange(n), :, np.arange(n)] = 0.5
    return z


def test_great_alpha_is_the_limit():
    z = random_payoffs(64, 4, 3, 20)
    assert moves(z.reshape(4, 12), 1e5) == pytest.approx(move_matrix(z.reshape(4, 12)), abs=1e-15)
    found, limit = alpha_game(z, 1e5, damped=True), play(z)
    assert found.scores == pytest.approx(limit.scores, abs=1e-11)
    assert found.weights == pytest.approx(limit.weights, abs=1e-11)


def test_a_sweep_ends_with_the_limit(cross_check_runs):
    table = alpha_sweep(cross_check_runs, [0.1, 1e6])
    assert table.columns.tolist() == ["alpha", "jumps", "algorithm", "score", "rank"]
    assert table["alpha"].tolist() == 6 * [0.1] + 6 * [1e6] + 6 * [np.inf]
    scores = play(payoffs(samples_from_runs(cross_check_runs))).scores
    limit = table[(table["alpha"] == np.inf) & (table["jumps"] == "damped")]
    assert limit["score"].to_numpy() == pytest.approx(scores)
    assert limit["rank"].to_list() == [1, 3, 2]
    great = table[(table["alpha"] == 1e6)]["score"].to_numpy()
    assert great == pytest.approx(table[table["alpha"] == np.inf]["score"].to_numpy(), abs=1e-9)


def test_what_falls_apart_is_left_empty(run_table):
    """Nobody moves to an algorithm that always loses; at a small alpha they still do."""
    runs = run_table({("a", "x"): [5, 6], ("b", "x"): [3, 4], ("c", "x"): [1, 2]})
    table = alpha_sweep(runs, [0.1]).set_index(["alpha", "jumps"])
    assert table.loc[(np.inf, "none"), ["score", "rank"]].isna().all(axis=None)
    for kept in [(0.1, "damped"), (0.1, "none"), (np.inf, "damped")]:
        assert table.loc[kept, "rank"].tolist() == [1, 2, 3]


def test_one_algorithm_has_no_game():
    with pytest.raises(ValueError, match="at least two algorithms"):
        alpha_game(np.full((1, 1, 1), 0.5), 1.0, damped=True)
