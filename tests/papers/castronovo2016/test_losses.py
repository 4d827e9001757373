"""Losses of agents, by hand."""

import numpy as np
import pytest
from scipy import stats
from support.stand_in_plays import agents_of, published

from surefoot.papers.castronovo2016.losses import figure_losses_numbers


def test_losses_by_hand():
    """Two agents in one environment, whose best published score is 42.47: Welch's interval of a difference of 4 with
    standard errors of 1 and 2 * 101 - 2 degrees of freedom (Welch 1947)."""
    agents = agents_of(
        ("accurate/gc", "random", "", "", 38.0, 1.0, 100), ("accurate/gc", "e_greedy", "epsilon=0", "", 42.0, 1.0, 100)
    ).assign(seconds_decision=[1e-6, 1e-3])
    table = figure_losses_numbers(agents, published(), horizon=250)
    # e-Greedy needs a quarter of a second for 250 decisions, so no pair can be compared in less time.
    assert table["limit"].tolist() == [np.inf, np.inf]
    assert table["algorithm"].tolist() == ["e_greedy", "random"]
    assert table["tied"].tolist() == [True, False]
    assert table["difference"].tolist() == pytest.approx([400 / 42.47, -400 / 42.47])
    reach = stats.t.ppf(0.975, 200) * np.sqrt(2.0)
    assert table["low"].tolist() == pytest.approx([100 * (4 - reach) / 42.47, -100 * (4 + reach) / 42.47])
    assert table["high"].tolist() == pytest.approx([100 * (4 + reach) / 42.47, -100 * (4 - reach) / 42.47])
