"""Limits of the scores: against linear programs over all games within the limits, and the method by the letter."""

import numpy as np
import pytest

from surefoot.statistics.game import score_limits as limits_of_scores
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.score_limits import _known_moves, greatest_value, score_limits
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_t
from surefoot.streams import stream_key

KEY = stream_key(0, "test")


def near(x, y):
    return abs(x - y) <= np.sqrt(2.0**-52) * max(abs(x), abs(y))


def move_limits(low, high, variant):
    """C- and C+ by the letter, float64[|S|, |S|]; strategies numbered as low.ravel()."""
    n, columns = low.shape
    eta, size = 1 / (n + columns - 2), low.size
    least, most = np.zeros((size, size)), np.zeros((size, size))
    for a in range(size):
        for b in range(size):
            (i, c), (i2, c2) = divmod(a, columns), divmod(b, columns)
            if (i != i2) == (c != c2):
                continue
            here, there = [low[i, c], high[i, c]], [low[i2, c2], high[i2, c2]]
            if c != c2:
                here, there = [-here[1], -here[0]], [-there[1], -there[0]]
            equal = near(here[0], there[0]) and near(here[1], there[1])
            if variant == "corrected":
                equal = equal and near(here[0], here[1])
            if there[0] > here[1]:
                least[a, b] = most[a, b] = eta
            elif here[0] > there[1]:
                pass
            elif equal:
                least[a, b] = most[a, b] = eta / 50
            else:
                most[a, b] = eta
    return least, most


def limits_by_the_letter(low, high, variant):
    """Policy iteration on dense matrices as the paper's program does it: each row filled in order of value."""
    n = low.shape[0]
    low, high = low.reshape(n, -1), high.reshape(n, -1)
    least, most = move_limits(low, high, variant)
    size = low.size
    gamma, own = (size - 1) / size, np.arange(size)
    uncertain = most > least
    stay_least, stay_most = 1 - most.sum(axis=1), 1 - least.sum(axis=1)
    least[own, own], most[own, own] = stay_least, stay_most
    rho = np.random.default_rng(0).uniform(size=size) * 1e-10 / (1 - gamma)

    def value(reward):
        c, v = least.copy(), np.zeros(size)
        for _ in range(400):
            w, before = gamma * v + rho, c.copy()
            for s in range(size):
                c[s], mass = least[s], least[s].sum()
                candidates = np.append(np.flatnonzero(uncertain[s]), s)
                for t in candidates[np.argsort(-w[candidates])]:
                    added = min(most[s, t] - least[s, t], 1 - mass)
                    c[s, t] += added
                    mass += added
            v, old = np.linalg.solve(np.eye(size) - gamma * c, reward), v
            if 2 * np.abs(v - old).max() * gamma < 1e-7 or np.abs(c - before).max() < 1e-8:
                break
        mean = np.abs(v).mean() if variant == "as_published" else v.mean()
        return (1 - gamma) * mean

    sign = 1 if variant == "as_published" else -1
    return [sign * value(-np.tile(low[i], n)) for i in range(n)], [value(np.tile(high[i], n)) for i in range(n)]


def random_limits(seed, n, m, steps=None):
    """Payoffs and limits around them; with `steps` many limits are equal."""
    rng = np.random.default_rng(seed)
    z = rng.uniform(size=(n, m, n))
    width = rng.choice([0.05, 0.3, 1.0]) * rng.uniform(size=(2, n, m, n))
    low, high = np.maximum(z - width[0], 0), np.minimum(z + width[1], 1)
    if steps:
        low, high = np.floor(low * steps) / steps, np.ceil(high * steps) / steps
    for i in range(n):
        z[i, :, i] = low[i, :, i] = high[i, :, i] = 0.5
    return z, low, high


@pytest.mark.parametrize("variant", ["as_published", "corrected"])
def test_negative_limits_against_the_method_by_the_letter(variant):
    """Limits that leave [0, 1], such as PBP-t's of few runs: there the mean of absolute values loses the sign."""
    for seed in range(4):
        _, low, high = random_limits(seed, 3, 2)
        low = np.where(low == 0.5, 0.5, low - 0.7)
        found = score_limits(low, high, variant, KEY)
        expected = limits_by_the_letter(low, high, variant)
        assert found[0] == pytest.approx(expected[0], abs=1e-8)
        assert found[1] == pytest.approx(expected[1], abs=1e-8)


def test_tie_breaks_that_choose_in_turn_come_to_an_end():
    """With tie breaks as large as here, the policies of 3 of the 300 games go round for ever if nothing stops them."""
    for seed in range(300):
        random = np.random.default_rng(seed)
        centre = random.random((4, 3, 4))
        low, high = (np.clip(centre + width, 0, 1).reshape(4, 12) for width in (-0.3, 0.3))
        moves, none = _known_moves(low, high, "corrected"), np.zeros((4, 12))
        found = greatest_value(moves, high[0], random.random((4, 12)) * 1e-2)
        assert found == pytest.approx(greatest_value(moves, high[0], none), abs=1e-3)


@pytest.mark.parametrize("variant", ["as_published", "corrected"])
def test_cross_check_data_to_the_printed_digits(cross_check_samples, variant):
    low, high = score_limits(*pbp(cross_check_samples, Options(0.05), "as_published"), variant, KEY)
    assert low == pytest.approx([0.1832551113, 0.1612375930, 0.1493230733], abs=2e-10)
    assert high == pytest.approx([0.8560213721, 0.8436929287, 0.8366180662], abs=2e-10)
    low, high = score_limits(*pbp_t(cross_check_samples, Options(0.05), "as_published"), variant, KEY)
    assert low == pytest.approx([0.3813824810, 0.3705083366, 0.3717877106], abs=2e-10)
    assert high == pytest.approx([0.6479369888, 0.6359483866, 0.6272767743], abs=2e-10)


def test_published_limits_may_miss_a_game_where_limits_agree():
    """Two payoffs both known to lie in [0.8, 0.9] need not be equal, but the published rule takes them to be."""
    rng = np.random.default_rng(252)
    low = rng.integers(0, 10, size=(3, 3, 3)) / 10
    high = low + 0.1
    z = rng.uniform(low, high)
    for i in range(3):
        z[i, :, i] = low[i, :, i] = high[i, :, i] = 0.5
    scores = play(z).scores
    least, greatest = score_limits(low, high, "as_published", KEY)
    assert ((least > scores + 1e-3) | (greatest < scores - 1e-3)).any()
    least, greatest = score_limits(low, high, "corrected", KEY)
    assert ((least < scores) & (scores < greatest)).all()


def test_elimination_takes_over_where_the_iteration_fails(monkeypatch):
    _, low, high = random_limits(12, 4, 4)
    found = np.array(score_limits(low, high, "corrected", KEY))
    monkeypatch.setattr(limits_of_scores, "_evaluate", lambda *_: (np.nan, False))
    assert np.array(score_limits(low, high, "corrected", KEY)) == pytest.approx(found, abs=1e-11)
