"""The benchmark of the simulation: what it hands to the kernels is laid out as they read it; its bounds are limits."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import linear_steps
import policy_agents

from surefoot.simulation.agents import linear_actor_critic, linear_sarsa
from surefoot.simulation.agents.actor_critic import STEP_FRACTION as OF_ACTOR_CRITIC
from surefoot.simulation.agents.sarsa import STEP_FRACTION


def test_drawn_hyperparameters_are_laid_out_as_the_agents_read_them():
    orders = linear_sarsa.DEPENDENT_ORDER, linear_sarsa.INDEPENDENT_ORDER
    assert orders == (linear_actor_critic.DEPENDENT_ORDER, linear_actor_critic.INDEPENDENT_ORDER)
    assert STEP_FRACTION == OF_ACTOR_CRITIC
    for policy in (False, True):
        hyperparameters = np.full(linear_steps.plain_linear_agents.HYPERPARAMETERS, np.nan)
        linear_steps.drawn(3, policy)(hyperparameters, 4, 2, np.zeros(4, np.uint64))
        assert not np.isnan(hyperparameters).any()
        assert hyperparameters[list(orders)].tolist() == [3, 1]
        assert hyperparameters[STEP_FRACTION] == 1


def test_the_bound_is_that_of_the_slower_of_memory_and_arithmetic(monkeypatch):
    monkeypatch.setattr(linear_steps, "gigabytes_per_second", lambda size: 10.0)
    _, by_memory = linear_steps.limits("x", 1000, (80, 10, 8), alone=5.0, peak=10.0)
    rows, by_arithmetic = linear_steps.limits("x", 1000, (80, 160, 8), alone=5.0, peak=10.0)
    assert (by_memory, by_arithmetic) == (5.0 + 8000.0, 5.0 + 16_000.0)
    assert [row[0] for row in rows] == ["bandwidth: x", "bytes a feature: x", "operations a feature: x"]
    assert all(len(row) == 8 for row in rows)


@pytest.mark.parametrize(("algorithm", "moved", "storage"), [("nac_td", 144, 80), ("ppo", 24 + 5 * 56 * 3 / 32, 72)])
def test_bytes_that_policy_agents_move(algorithm, moved, storage):
    """Of two actions: NAC-TD has eight arrays that it reads and writes, and features; PPO three of three outputs."""
    assert policy_agents.bytes_per_feature(algorithm, 2) == (moved, storage)
