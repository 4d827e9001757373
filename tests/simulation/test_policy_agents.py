"""NAC-TD and PPO over tables against plain NumPy that updates every entry at every step, same random numbers.

The order of additions differs, so weights agree to rounding; returns agree exactly, for a number drawn falls between
two bounds that differ by rounding with a probability of about 1e-12 a step.
"""

import numpy as np
import pytest
import reference_trials as plain
from numba import njit
from scipy import stats

from surefoot.simulation.agents import nac_td, ppo
from surefoot.simulation.definitions import nac_td as nac_td_definition
from surefoot.simulation.definitions import ppo as ppo_definition
from surefoot.simulation.environments import chain, gridworld
from surefoot.streams import start_stream, stream_key, uniform

KEY = stream_key(5, "policy agents")
WORLDS = [chain.environment(length=5, stochastic=True), gridworld.environment(size=3, stochastic=False)]
IDS = ["chain", "gridworld"]


@njit
def draw_divergent(hyperparameters, stream):
    """Step sizes of the values and advantages from 1 to 1e250, all of which diverge, some at once."""
    hyperparameters[nac_td.DISCOUNT] = 0.9 + 0.1 * uniform(stream)
    hyperparameters[nac_td.TRACE_DECAY] = uniform(stream)
    hyperparameters[nac_td.POLICY_STEP_SIZE] = 0.1
    hyperparameters[nac_td.VALUE_STEP_SIZE] = 10.0 ** (250.0 * uniform(stream) ** 3)
    hyperparameters[nac_td.ADVANTAGE_STEP_SIZE] = 10.0 ** (250.0 * uniform(stream) ** 3)


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_nac_td_as_defined(world):
    given = world, nac_td_definition.draw_tabular, KEY, 15, 15
    ours, theirs, weights = plain.both(nac_td, plain.nac_td_trial, *given)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) > 10
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_divergence_of_nac_td(world):
    """To inf and NaN and on: nothing stops a trial."""
    ours, theirs, weights = plain.both(nac_td, plain.nac_td_trial, world, draw_divergent, KEY, 40, 12)
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    assert sum(np.isnan(final).any() for final in weights) > 10
    assert sum(np.isfinite(final).all() for final in weights) > 3


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_ppo_as_defined(world):
    ours, theirs, weights = plain.both(ppo, plain.ppo_trial, world, ppo_definition.draw_tabular, KEY, 6, 30)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours)) == 6
    assert sum((final != 0).any() for final in weights) > 3


@njit
def draw_divergent_ppo(hyperparameters, stream):
    """Steps of Adam so long that squares of errors overflow."""
    ppo_definition.draw_tabular(hyperparameters, stream)
    hyperparameters[ppo.STEP_SIZE] = 10.0 ** (308.0 * uniform(stream))


@pytest.mark.parametrize("world", WORLDS, ids=IDS)
def test_divergence_of_ppo(world):
    ours, theirs, weights = plain.both(ppo, plain.ppo_trial, world, draw_divergent_ppo, KEY, 8, 15)
    np.testing.assert_array_equal(ours, theirs)
    assert np.isfinite(ours).all()
    # No NaN: where a square overflows, Adam divides by infinity and the weight stays.
    assert sum(np.abs(final).max() > 1e100 for final in weights) > 3


def test_the_norm_neither_overflows_nor_underflows():
    for weights, expected in [
        ([3.0, -4.0], 5.0),
        ([3e200, -4e200], 5e200),
        ([3e-200, 4e-200], 5e-200),
        ([0.0, 0.0], 0.0),
        ([1.0, -np.inf], np.inf),
        ([np.inf, np.nan, 1.0], np.nan),
    ]:
        weights = np.array(weights)  # noqa: PLW2901
        with np.errstate(over="ignore", under="ignore"):
            squares = (weights**2).sum()
        np.testing.assert_allclose(nac_td.norm(weights, squares), expected, rtol=1e-15)


def test_advantages_of_a_buffer_with_an_end_in_it():
    """By the definition: sums of errors, discounted by gamma lambda, up to the end of the episode or the buffer."""
    generator = np.random.default_rng(1)
    buffer = ppo.Buffer(
        *[np.zeros(20, np.int64), *generator.normal(size=(2, 20)), generator.normal(size=21), np.ones(20)],
        advantages=np.full(20, np.nan),
        order=np.zeros(20, np.int64),
    )
    buffer.goes_on[7] = 0.0
    gamma, decay = 0.97, 0.97 * 0.6
    ppo.estimate_advantages(buffer, 20, gamma, decay)
    errors = buffer.rewards + gamma * buffer.values[1:] * buffer.goes_on - buffer.values[:-1]
    for i in range(20):
        last = 7 if i <= 7 else 19
        expected = sum(decay ** (j - i) * errors[j] for j in range(i, last + 1))
        assert buffer.advantages[i] == pytest.approx(expected, rel=1e-12)


def test_shuffles_are_uniform():
    """All 24 orders of four steps: a chi-squared test at 1e-6."""
    stream, order = np.empty(4, np.uint64), np.empty(4, np.int64)
    start_stream(KEY, 0, stream)
    counts = {}
    for _ in range(12_000):
        ppo.shuffle(order, 4, stream)
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 1e-6
