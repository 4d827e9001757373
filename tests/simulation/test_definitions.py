"""Hyperparameters against the distributions of the complete definitions (Jordan et al. 2020, Table 4).

Kolmogorov-Smirnov tests and rank correlations, each at 1e-6: all 40 together fail a correct program in 4e-5 of
all choices of the seed.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from surefoot.simulation.agents import actor_critic as actor_critic_agent
from surefoot.simulation.agents import sarsa as sarsa_agent
from surefoot.simulation.definitions import actor_critic, sarsa
from surefoot.streams import start_stream, stream_key

SMALLEST_P = 1e-6
DRAWS = 5_000

DISCOUNT = stats.loguniform(1e-4, 0.05)  # of 1 - gamma
TRACE_DECAY = stats.uniform(0, 1)
EXPLORATION = stats.uniform(0, 0.1)
STEP_SIZE = stats.loguniform(1e-3, 0.1)


def drawn(draw):
    """float64[DRAWS, 4], each row from a stream of its own."""
    key, stream = stream_key(1, "definitions"), np.empty(4, np.uint64)
    rows = np.full((DRAWS, 4), np.nan)
    for number, row in enumerate(rows):
        start_stream(key, number, stream)
        draw(row, stream)
    return rows


@pytest.mark.parametrize(
    ("draw", "columns", "constant"),
    [
        (
            sarsa.draw_tabular,
            {
                sarsa_agent.TRACE_DECAY: TRACE_DECAY,
                sarsa_agent.EXPLORATION: EXPLORATION,
                sarsa_agent.STEP_SIZE: STEP_SIZE,
            },
            {},
        ),
        (
            sarsa.draw_tabular_adaptive,
            {sarsa_agent.TRACE_DECAY: TRACE_DECAY, sarsa_agent.EXPLORATION: EXPLORATION},
            {sarsa_agent.STEP_SIZE: 1.0},
        ),
        (
            actor_critic.draw_tabular,
            {
                actor_critic_agent.TRACE_DECAY: TRACE_DECAY,
                actor_critic_agent.POLICY_STEP_SIZE: STEP_SIZE,
                actor_critic_agent.VALUE_STEP_SIZE: STEP_SIZE,
            },
            {},
        ),
        (
            actor_critic.draw_tabular_adaptive,
            {actor_critic_agent.TRACE_DECAY: TRACE_DECAY, actor_critic_agent.POLICY_STEP_SIZE: STEP_SIZE},
            {actor_critic_agent.VALUE_STEP_SIZE: 1.0},
        ),
    ],
    ids=["sarsa and q", "sarsa_parl2 and q_parl2", "ac", "ac_parl2"],
)
def test_distributions(draw, columns, constant):
    rows = drawn(draw)
    assert sarsa_agent.DISCOUNT == actor_critic_agent.DISCOUNT
    samples = {sarsa_agent.DISCOUNT: 1.0 - rows[:, sarsa_agent.DISCOUNT]}
    samples |= {column: rows[:, column] for column in columns}
    for column, law in {sarsa_agent.DISCOUNT: DISCOUNT, **columns}.items():
        low, high = law.support()
        assert (samples[column] >= low * (1 - 1e-12)).all()
        assert (samples[column] <= high * (1 + 1e-12)).all()
        assert stats.kstest(samples[column], law.cdf).pvalue > SMALLEST_P, column
        # The KS test is weak in the tails, where step sizes decide: the mean by its exact variance, at 1e-6.
        z = (samples[column].mean() - law.mean()) / (law.std() / np.sqrt(DRAWS))
        assert abs(z) < stats.norm.isf(SMALLEST_P / 2), column
    for one, other in itertools.combinations(samples, 2):
        assert stats.spearmanr(samples[one], samples[other]).pvalue > SMALLEST_P, (one, other)
    for column, value in constant.items():
        assert (rows[:, column] == value).all()
