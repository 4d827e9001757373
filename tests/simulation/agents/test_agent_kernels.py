"""Kernels of trials: their names in the cache."""

import pytest

from surefoot.simulation.agents import actor_critic, agent_kernels, sarsa
from surefoot.simulation.simulation_registry import simulate


@pytest.mark.parametrize(("algorithm", "module"), [("sarsa", sarsa), ("ac", actor_critic)])
def test_trials_of_other_numbers_of_actions_have_other_names(algorithm, module):
    """Kernels of one name that two processes stored would be mixed up by a third, which gave wrong returns."""
    for environment in ("chain_10_deterministic", "gridworld_5_deterministic"):
        simulate(algorithm, environment, 1, 0, 1)
    names = [module.trial_with(actions).__qualname__ for actions in (2, 4)]
    assert names == ["trial_with.<locals>.trial_2", "trial_with.<locals>.trial_4"]
    simulate(algorithm, "chain_10_deterministic", 1, 0, 1)
    assert module.trial_with(2).__qualname__ == names[0]


def test_closures_of_any_values_have_short_names():
    names = [agent_kernels._short_name(value) for value in (4, 0.5, agent_kernels.simulator, [1, 2])]
    assert names[0] == "4" and len(set(names)) == 4
    assert all(name.isalnum() and len(name) <= 12 for name in names)
    assert agent_kernels._short_name(agent_kernels.simulator) == names[2]
