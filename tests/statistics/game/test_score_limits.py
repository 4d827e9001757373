"""Limits of the scores: printed digits, and games that are hard for policy iteration."""

import numpy as np
import pytest

from surefoot.statistics.game import score_limits as limits_of_scores
from surefoot.statistics.game.evaluation_game import SMALL, play
from surefoot.statistics.game.score_limits import _known_moves, greatest_value, score_limits
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_t
from surefoot.streams import stream_key

KEY = stream_key(0, "test")


@pytest.fixture(params=[0, SMALL], ids=["iteration", "elimination"], autouse=True, scope="module")
def solver(request):
    """Games are solved by iteration, or, if they are small, by elimination."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits_of_scores, "SMALL", request.param)
        yield


@pytest.mark.parametrize(("variant", "sign"), [("as_published", -1), ("corrected", 1)])
def test_a_negative_limit_keeps_its_sign_unless_as_published(variant, sign):
    """Such as PBP-t's of few runs: where every payoff is known to be -0.3, so is the score, and its mean of absolute
    values is 0.3."""
    known = np.full((3, 2, 3), -0.3)
    assert np.array(score_limits(known, known, variant, KEY)) == pytest.approx(np.full((2, 3), -0.3 * sign), abs=1e-11)


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
    rng = np.random.default_rng(12)
    low, high = np.sort(rng.uniform(size=(2, 4, 4, 4)), axis=0)
    low[range(4), :, range(4)] = high[range(4), :, range(4)] = 0.5
    found = np.array(score_limits(low, high, "corrected", KEY))
    monkeypatch.setattr(limits_of_scores, "_evaluate", lambda *_: (np.nan, False))
    assert np.array(score_limits(low, high, "corrected", KEY)) == pytest.approx(found, abs=1e-11)
