"""Hyperparameters of NAC-TD and PPO against the distributions of their definitions (Jordan et al. 2020, Table 4).

Kolmogorov-Smirnov tests, means and rank correlations, each at 1e-6: all of them together fail a correct program in
1e-4 of all choices of the seed.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from surefoot.simulation.agents import linear_nac_td, linear_ppo, policy_gradient
from surefoot.simulation.agents import nac_td as nac_td_agent
from surefoot.simulation.definitions import nac_td, ppo
from surefoot.streams import start_stream, stream_key

SMALLEST_P = 1e-6
DRAWS = 4_000

UNIT = stats.uniform(0, 1)
STEP_SIZE = stats.loguniform(1e-3, 0.1)
DISCOUNT = stats.loguniform(1e-4, 0.05)  # of 1 - gamma

NAC_TD = {
    nac_td_agent.TRACE_DECAY: UNIT,
    nac_td_agent.POLICY_STEP_SIZE: STEP_SIZE,
    nac_td_agent.VALUE_STEP_SIZE: STEP_SIZE,
    nac_td_agent.ADVANTAGE_STEP_SIZE: STEP_SIZE,
}
PPO = {
    policy_gradient.TRACE_DECAY: UNIT,
    policy_gradient.CLIP: stats.uniform(0.1, 0.2),
    policy_gradient.ENTROPY_WEIGHT: stats.loguniform(1e-8, 1e-2),
    policy_gradient.STEP_SIZE: STEP_SIZE,
}

LINEAR_STEP_SIZE = stats.loguniform(1e-6, 1e-3)
LINEAR_NAC_TD = NAC_TD | {
    column: LINEAR_STEP_SIZE for column, law in NAC_TD.items() if column != nac_td_agent.TRACE_DECAY
}
LINEAR_PPO = PPO | {policy_gradient.STEP_SIZE: LINEAR_STEP_SIZE}


def over_basis(draw):
    """The draw of a linear agent with four inputs and three actions, on which none of these depends."""
    return lambda hyperparameters, stream: draw(hyperparameters, 4, 3, stream)


def drawn(draw, size):
    """float64[DRAWS, size], each row from a stream of its own."""
    key, stream = stream_key(1, "definitions"), np.empty(4, np.uint64)
    rows = np.full((DRAWS, size), np.nan)
    for number, row in enumerate(rows):
        start_stream(key, number, stream)
        draw(row, stream)
    return rows


@pytest.mark.parametrize(
    ("draw", "size", "laws"),
    [
        (nac_td.draw_tabular, nac_td_agent.HYPERPARAMETERS, NAC_TD),
        (ppo.draw_tabular, policy_gradient.HYPERPARAMETERS, PPO),
        (over_basis(nac_td.draw_linear), linear_nac_td.HYPERPARAMETERS, LINEAR_NAC_TD),
        (over_basis(ppo.draw_linear), linear_ppo.HYPERPARAMETERS, LINEAR_PPO),
    ],
    ids=["nac_td", "ppo", "linear nac_td", "linear ppo"],
)
def test_continuous_distributions(draw, size, laws):
    rows = drawn(draw, size)
    assert nac_td_agent.DISCOUNT == policy_gradient.DISCOUNT
    rows[:, policy_gradient.DISCOUNT] = 1.0 - rows[:, policy_gradient.DISCOUNT]
    laws = {policy_gradient.DISCOUNT: DISCOUNT, **laws}
    for column, law in laws.items():
        sample = rows[:, column]
        low, high = law.support()
        assert (sample >= low * (1 - 1e-12)).all()
        assert (sample <= high * (1 + 1e-12)).all()
        assert stats.kstest(sample, law.cdf).pvalue > SMALLEST_P, column
        z = (sample.mean() - law.mean()) / (law.std() / np.sqrt(DRAWS))
        assert abs(z) < stats.norm.isf(SMALLEST_P / 2), column
    for one, other in itertools.combinations(range(size), 2):
        assert stats.spearmanr(rows[:, one], rows[:, other]).pvalue > SMALLEST_P, (one, other)


@pytest.mark.parametrize(("column", "low", "high"), [(policy_gradient.BUFFER, 6, 8), (policy_gradient.MINIBATCH, 4, 6)])
def test_lengths_are_rounded_powers_of_two(column, low, high):
    """The number n has the probability that a uniform exponent lies between log2(n - 1/2) and log2(n + 1/2)."""
    lengths = drawn(ppo.draw_tabular, policy_gradient.HYPERPARAMETERS)[:, column]
    numbers = np.arange(2**low, 2**high + 1)
    assert set(lengths) <= set(numbers)
    bounds = np.clip(np.log2(np.append(numbers - 0.5, numbers[-1] + 0.5)), low, high)
    counts = np.bincount(lengths.astype(int), minlength=2**high + 1)[2**low :]
    assert stats.chisquare(counts, DRAWS * np.diff(bounds) / (high - low)).pvalue > SMALLEST_P


def test_epochs():
    epochs = drawn(ppo.draw_tabular, policy_gradient.HYPERPARAMETERS)[:, policy_gradient.EPOCHS]
    assert set(epochs) == set(range(1, 11))
    assert stats.chisquare(np.bincount(epochs.astype(int))[1:]).pvalue > SMALLEST_P


@pytest.mark.parametrize(("draw", "agent"), [(nac_td.draw_linear, linear_nac_td), (ppo.draw_linear, linear_ppo)])
def test_orders(draw, agent):
    """d is uniform on 0..9, o on 1..9."""
    rows = drawn(over_basis(draw), agent.HYPERPARAMETERS).astype(int)
    dependent, independent = rows[:, agent.DEPENDENT_ORDER], rows[:, agent.INDEPENDENT_ORDER]
    assert set(dependent) == set(range(10))
    assert set(independent) == set(range(1, 10))
    assert stats.chisquare(np.bincount(dependent)).pvalue > SMALLEST_P
    assert stats.chisquare(np.bincount(independent)[1:]).pvalue > SMALLEST_P
