"""Sarsa and Q against plain Python that updates every entry at every step, fed with the same random numbers.

Putting updates off changes the order of additions, so weights agree to rounding, and returns agree exactly unless
rounding decides: where two actions of a state have histories so alike that their values are equal, or nearly. The
plain agents know how close their choices were; trials without a close one must agree to the last bit.
"""

import numpy as np
import pytest
from support import plain_agents as plain
from support.plain_agents import SHORT_CHAIN, SLIPPERY_CHAIN, SLIPPERY_GRID, draw_divergent

from surefoot.simulation.agents import sarsa
from surefoot.simulation.definitions import sarsa as sarsa_definition
from surefoot.streams import stream_key

KEY = stream_key(5, "agents")


CLOSE = 1e-9


def both_without_close_choices(*given):
    """Performances of Sarsa or Q and of the plain version, and its final weights, of trials without a close choice."""
    ours, theirs, finals = plain.both(sarsa, plain.sarsa_trial, *given)
    clear = np.array([margin >= CLOSE for _, margin in finals])
    return ours[clear], theirs[clear], [weights for weights, margin in finals if margin >= CLOSE]


@pytest.mark.parametrize(("environment", "clear"), [(SHORT_CHAIN, 50), (SLIPPERY_GRID, 5)], ids=["chain", "grid"])
@pytest.mark.parametrize("off_policy", [False, True])
@pytest.mark.parametrize("adaptive", [False, True])
def test_sarsa_and_q_as_defined(environment, clear, off_policy, adaptive):
    draw = sarsa_definition.draw_tabular_adaptive if adaptive else sarsa_definition.draw_tabular
    ours, theirs, _ = both_without_close_choices(environment, draw, KEY, 60, 12, off_policy, adaptive, 0.7)
    np.testing.assert_array_equal(ours, theirs)
    assert len(ours) >= clear
    assert len(set(ours)) >= 5


@pytest.mark.parametrize("environment", [SLIPPERY_CHAIN, SLIPPERY_GRID], ids=["chain", "grid"])
@pytest.mark.parametrize("off_policy", [False, True])
def test_divergence_of_sarsa_and_q(environment, off_policy):
    """To inf and NaN and on: nothing stops a trial."""
    ours, theirs, weights = both_without_close_choices(environment, draw_divergent, KEY, 60, 12, off_policy, False, 1.0)
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    assert sum(np.isnan(final).all() for final in weights) > 5
    assert sum(np.isnan(final).any() for final in weights) > 10
