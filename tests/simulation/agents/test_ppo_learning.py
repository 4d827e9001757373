"""Learning of PPO: advantages by their definition, gradients by finite differences, Adam by the published recursion."""

import numpy as np
import pytest
from scipy import stats

from surefoot.simulation.agents import ppo_learning
from surefoot.streams import start_stream, stream_key

STEPS = 12


@pytest.fixture
def buffer():
    """Steps of three episodes, the last of which goes on."""
    random = np.random.default_rng(5)
    buffer = ppo_learning.new_buffer()
    for array in (buffer.rewards, buffer.values, buffer.advantages):
        array[: STEPS + 1] = random.normal(size=len(array[: STEPS + 1]))
    buffer.actions[:STEPS] = random.integers(0, 3, STEPS)
    buffer.log_probabilities[:STEPS] = np.log(random.uniform(0.1, 0.9, STEPS))
    buffer.goes_on[:STEPS] = 1.0
    buffer.goes_on[[4, 8]] = 0.0
    return buffer


@pytest.mark.parametrize("decay", [0.0, 0.6, 0.9])
def test_advantages_are_sums_of_later_errors_of_an_episode(buffer, decay):
    """With decay = gamma, they are the discounted rewards up to the end of the buffer, minus the value."""
    discount = 0.9
    ppo_learning.estimate_advantages(buffer, STEPS, discount, decay)
    for first in range(STEPS):
        end = next(i for i in range(first, STEPS) if i == STEPS - 1 or not buffer.goes_on[i]) + 1
        following = buffer.values[first + 1 : end + 1] * buffer.goes_on[first:end]
        errors = buffer.rewards[first:end] + discount * following - buffer.values[first:end]
        powers = np.arange(end - first)
        assert buffer.advantages[first] == pytest.approx((decay**powers * errors).sum())
        if decay == discount:
            rest = discount ** len(powers) * following[-1]
            returned = (discount**powers * buffer.rewards[first:end]).sum() + rest
            assert buffer.advantages[first] == pytest.approx(returned - buffer.values[first])


def objective(logits, buffer, step, clip, entropy_weight):
    """Return the clipped surrogate of a step plus the weighted entropy."""
    log_pi = logits - np.log(np.exp(logits).sum())
    ratio = np.exp(log_pi[buffer.actions[step]] - buffer.log_probabilities[step])
    advantage = buffer.advantages[step]
    surrogate = min(ratio * advantage, np.clip(ratio, 1.0 - clip, 1.0 + clip) * advantage)
    return surrogate - entropy_weight * (np.exp(log_pi) * log_pi).sum()


def test_gradients_are_those_of_the_objective_but_for_one_sign(buffer):
    """The entropy's derivative is -p (ln p + H); the programs of the paper, and ours, have -p (ln p - H)."""
    random = np.random.default_rng(6)
    clip, weight, clipped = 0.2, 0.3, 0
    probabilities, log_probabilities, found = np.empty(3), np.empty(3), np.empty(3)
    for step in range(STEPS):
        logits = random.normal(size=3)
        ppo_learning.log_softmax(logits[None], 3, 0, probabilities, log_probabilities)
        ppo_learning.logit_gradients(probabilities, log_probabilities, 3, buffer, step, clip, weight, found)
        ends = [logits + np.eye(3) * side * 1e-6 for side in (1.0, -1.0)]
        up, down = ([objective(row, buffer, step, clip, weight) for row in end] for end in ends)
        slope = (np.array(up) - down) / 2e-6
        entropy = -(probabilities * log_probabilities).sum()
        np.testing.assert_allclose(found, slope + 2.0 * weight * probabilities * entropy, atol=1e-7)
        ratio = np.exp(log_probabilities[buffer.actions[step]] - buffer.log_probabilities[step])
        clipped += abs(ratio - 1.0) > clip and (ratio > 1.0) == (buffer.advantages[step] > 0.0)
    assert 0 < clipped < STEPS


def test_steps_of_adam_are_those_of_its_definition():
    """Kingma and Ba 2015, algorithm 1 in the form with epsilon hat, along means of four gradients."""
    random = np.random.default_rng(7)
    weights, means, squares = random.normal(size=5), np.zeros(5), np.zeros(5)
    expected, m, v = weights.copy(), 0.0, 0.0
    for number in range(1, 8):
        gradients = random.normal(size=(4, 5))
        total = gradients.sum(axis=0)
        step_size = ppo_learning.corrected_step_size(0.01, number)
        ppo_learning.ascend(weights, means, squares, total, 4, step_size)
        assert (total == 0.0).all()
        m = 0.9 * m + 0.1 * gradients.mean(axis=0)
        v = 0.999 * v + 0.001 * gradients.mean(axis=0) ** 2
        expected += 0.01 * np.sqrt(1.0 - 0.999**number) / (1.0 - 0.9**number) * m / (np.sqrt(v) + 1e-5)
        np.testing.assert_allclose(weights, expected, rtol=1e-12)


def test_all_permutations_are_equally_likely():
    """Counts of the 24 permutations of four steps in 12,000 draws: chi-square at 1e-6."""
    stream, order = np.empty(4, np.uint64), np.empty(ppo_learning.LARGEST_BUFFER, np.int64)
    start_stream(stream_key(1, "permutations"), 0, stream)
    seen = np.empty((12_000, 4), np.int64)
    for row in seen:
        ppo_learning.shuffle(order, 4, stream)
        row[:] = order[:4]
    _, counts = np.unique(seen, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > 1e-6
