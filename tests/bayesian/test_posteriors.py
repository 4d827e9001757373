"""Values of posterior MDPs, to the last bit those of plain loops."""

import numpy as np
import pytest
from support import plain_bayesian_agents as reference_agents

from surefoot.bayesian import posteriors


@pytest.mark.parametrize("seed", range(4))
def test_solvers_give_the_very_same_numbers_as_plain_loops(seed):
    """Sparse and full rows, transitions possible under the prior or not; every bit of every Q-value."""
    random = np.random.default_rng(seed)
    states, actions = (17, 2) if seed == 3 else (random.integers(2, 7), random.integers(1, 4))
    shape = (states, actions, states)
    prior = np.ones(shape) if seed >= 2 else random.integers(0, 2, shape) * random.uniform(0.2, 3.0, shape)
    prior[:, :, 0] += 0.5
    rewards = random.normal(size=shape)
    model = posteriors.new_mean_model(prior)
    posteriors.reset_mean_model(model, prior, rewards)
    counts = prior.tolist()
    for _ in range(4 if seed == 3 else 12):
        posteriors.q_iteration(model, 0.9, 30)
        expected = np.array(reference_agents.q_iteration(counts, rewards.tolist(), 0.9, 30))
        assert (expected == model.q.reshape(actions, states).T).all()
        posteriors.value_iteration(model, 0.9)
        expected = np.array(reference_agents.value_iteration(counts, rewards.tolist(), 0.9))
        assert (expected == model.q.reshape(actions, states).T).all()
        place = random.integers(states), random.integers(actions), random.integers(states)
        posteriors.add_transition(model, rewards, *place)
        counts = reference_agents.with_transition(counts, *place)
