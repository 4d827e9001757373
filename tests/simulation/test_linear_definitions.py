"""Hyperparameters over a Fourier basis against the distributions of the definitions (Jordan et al. 2020, Table 4).

Tests of distributions and rank correlations, each at 1e-6: all of them together, about 100, fail a correct
program in 1e-4 of all choices of the seed.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from surefoot.simulation.agents import actor_critic as actor_critic_agent
from surefoot.simulation.agents import linear_actor_critic as linear_actor_critic_agent
from surefoot.simulation.agents import linear_sarsa as linear_sarsa_agent
from surefoot.simulation.definitions import actor_critic, sarsa
from surefoot.streams import start_stream, stream_key

SMALLEST_P = 1e-6
DRAWS = 5_000
DIMENSIONS, ACTIONS = 4, 3

DISCOUNT, TRACE_DECAY, FIRST, SECOND, FRACTION, DEPENDENT, INDEPENDENT = range(7)
UNSCALED = stats.loguniform(1e-6, 1e-3)
SCALED = stats.loguniform(1e-3, 1.0)


def test_the_layouts():
    agent = linear_sarsa_agent
    assert (agent.DISCOUNT, agent.TRACE_DECAY, agent.EXPLORATION, agent.STEP_SIZE) == (0, 1, 2, 3)
    agent = actor_critic_agent
    assert (agent.DISCOUNT, agent.TRACE_DECAY, agent.POLICY_STEP_SIZE, agent.VALUE_STEP_SIZE) == (0, 1, 2, 3)
    for agent in (linear_sarsa_agent, linear_actor_critic_agent):
        assert (agent.DEPENDENT_ORDER, agent.INDEPENDENT_ORDER) == (5, 6)


@pytest.mark.parametrize(
    ("draw", "first", "second", "first_scale", "second_scale"),
    [
        (sarsa.draw_linear, stats.uniform(0, 0.1), UNSCALED, 0, 0),
        (sarsa.draw_scaled, stats.uniform(0, 0.1), SCALED, 0, 1),
        (sarsa.draw_linear_adaptive, stats.uniform(0, 0.1), 1.0, 0, 0),
        (actor_critic.draw_linear, UNSCALED, UNSCALED, 0, 0),
        (actor_critic.draw_scaled, SCALED, SCALED, ACTIONS, 1),
        (actor_critic.draw_linear_adaptive, SCALED, 1.0, ACTIONS, 0),
    ],
    ids=["sarsa, q", "sarsa_s, q_s", "sarsa_parl2, q_parl2", "ac", "ac_s", "ac_parl2"],
)
def test_distributions(draw, first, second, first_scale, second_scale):
    """`scale`: times the number of features, what a step size is divided by; 0 for by nothing."""
    key, stream = stream_key(2, "definitions"), np.empty(4, np.uint64)
    rows = np.full((DRAWS, 7), np.nan)
    for number, row in enumerate(rows):
        start_stream(key, number, stream)
        draw(row, DIMENSIONS, ACTIONS, stream)
    dependent, independent = rows[:, DEPENDENT], rows[:, INDEPENDENT]
    features = (dependent + 1) ** 4 + 4 * np.maximum(0, independent - dependent)
    assert (rows[:, FRACTION] == 1.0).all()
    samples = {
        "discount": (1.0 - rows[:, DISCOUNT], stats.loguniform(1e-4, 0.05)),
        "decay": (rows[:, TRACE_DECAY], stats.uniform(0, 1)),
        "first": (rows[:, FIRST] * (first_scale * features if first_scale else 1.0), first),
        "second": (rows[:, SECOND] * (second_scale * features if second_scale else 1.0), second),
    }
    if isinstance(second, float):
        assert (samples.pop("second")[0] == second).all()
    for name, (sample, law) in samples.items():
        low, high = law.support()
        assert (sample >= low * (1 - 1e-12)).all()
        assert (sample <= high * (1 + 1e-12)).all()
        assert stats.kstest(sample, law.cdf).pvalue > SMALLEST_P, name
    for orders, values in ((dependent, range(10)), (independent, range(1, 10))):
        counts = [(orders == value).sum() for value in values]
        assert sum(counts) == DRAWS
        assert stats.chisquare(counts).pvalue > SMALLEST_P
    drawn = [sample for sample, _ in samples.values()] + [dependent, independent]
    for one, other in itertools.combinations(drawn, 2):
        assert stats.spearmanr(one, other).pvalue > SMALLEST_P


@pytest.mark.parametrize("module", [sarsa, actor_critic])
def test_a_tenth_of_the_steps_changes_nothing_else(module):
    key = stream_key(3, "definitions")
    for whole, tenth, shape in (
        (module.draw_tabular_adaptive, module.draw_tabular_tenth, ()),
        (module.draw_linear_adaptive, module.draw_linear_tenth, (DIMENSIONS, ACTIONS)),
    ):
        rows = np.zeros((2, 7))
        for draw, row in zip((whole, tenth), rows, strict=True):
            stream = np.empty(4, np.uint64)
            start_stream(key, 0, stream)
            draw(row, *shape, stream)
        assert (rows[0, FRACTION], rows[1, FRACTION]) == (1.0, 0.1)
        assert np.array_equal(np.delete(rows[0], FRACTION), np.delete(rows[1], FRACTION))
