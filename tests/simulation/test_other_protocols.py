"""Runs of the same hyperparameters and random policies: what they share, what they do not, and against plain Python."""

import numpy as np
import pytest
from scipy import stats

from surefoot.simulation import simulation_registry
from surefoot.simulation.agents.sarsa import draw_tabular
from surefoot.simulation.environments import chain
from surefoot.simulation.other_protocols import hyperparameter_grid, random_policies, same_hyperparameters
from surefoot.simulation.simulation_registry import simulate
from surefoot.simulation.trial_protocol import world_and_definition
from surefoot.streams import start_stream, stream_key


def repeats(algorithm, environment, seed, candidates, runs):
    cell = simulation_registry.settings(algorithm, environment), simulation_registry.modules(algorithm, environment)
    return same_hyperparameters(*cell, seed, candidates, runs)


def policies(environment, seed, count, episodes=1):
    settings = simulation_registry.settings("sarsa", environment)
    return random_policies(settings, (simulation_registry.ENVIRONMENTS[environment].module,), seed, count, episodes)


def test_repeats_depend_on_candidate_and_run_alone():
    few, many = repeats("sarsa", "chain_10_stochastic", 1, 3, 4), repeats("sarsa", "chain_10_stochastic", 1, 5, 7)
    assert np.array_equal(few, many[:3, :4])
    assert len(np.unique(many)) == many.size
    assert not np.isin(many, repeats("sarsa", "chain_10_stochastic", 2, 5, 7)).any()


@pytest.mark.parametrize(
    ("algorithm", "environment"),
    [("sarsa", "chain_10_stochastic"), ("ac_parl2", "chain_10_stochastic"), ("ppo", "gridworld_5_stochastic")],
)
def test_candidates_share_hyperparameters_drawn_as_for_trials(algorithm, environment):
    """Runs of a candidate are alike (F test: false once in 10^6), and one run of each is distributed as trials are
    (Kolmogorov and Smirnov: false once in 10^4)."""
    runs = repeats(algorithm, environment, 3, 150, 4)
    assert stats.f_oneway(*runs).pvalue < 1e-6
    trials = simulate(algorithm, environment, 4, 0, 600, threads=2)
    assert stats.ks_2samp(runs[:, 0], trials).pvalue > 1e-4


@pytest.mark.parametrize("algorithm", ["sarsa", "q"])
def test_grid_runs_are_those_of_an_agent_with_these_settings(algorithm):
    stream, drawn = np.empty(4, np.uint64), np.empty(4)
    draws_key = np.arange(4, dtype=np.uint64)
    start_stream(draws_key, 0, stream)
    draw_tabular(drawn, stream)
    settings = simulation_registry.settings(algorithm, "chain_10_stochastic")
    cell = settings, simulation_registry.modules(algorithm, "chain_10_stochastic")
    other = [0.9, 0.0, 0.1, 0.5]
    runs = hyperparameter_grid(*cell, 1, [other, drawn], 6, 0)
    start_stream(draws_key, 0, stream)
    world, definition = world_and_definition(*cell)
    expected = np.empty(6)
    key = stream_key(1, "grid", algorithm, "chain_10_stochastic", str(tuple(drawn)))
    definition(world, **settings["algorithm_arguments"])(expected, settings["episodes"], key, 0, stream)
    assert np.array_equal(runs[1], expected)
    assert not np.isin(runs[0], runs[1]).any()
    assert np.array_equal(hyperparameter_grid(*cell, 1, [drawn], 4, 2)[0], runs[1, 2:])


def test_runs_of_a_grid_depend_on_seed_setting_and_number_alone():
    cell = (
        simulation_registry.settings("q", "gridworld_5_stochastic"),
        simulation_registry.modules("q", "gridworld_5_stochastic"),
    )
    first, second = [0.9, 0.0, 0.1, 0.5], [0.9, 0.0, 0.1, 1.0]
    runs = hyperparameter_grid(*cell, 1, [first, second], 5, 0)
    assert np.array_equal(hyperparameter_grid(*cell, 1, [second], 3, 0)[0], runs[1, :3])
    assert not np.isin(hyperparameter_grid(*cell, 2, [first], 5, 0), runs).any()


def test_random_policies_reach_a_chains_end_by_chance():
    """Of a chain of 10 that does not slip, a policy gets from the first state to the goal if all nine lead right: 2^-9.
    Else it walks until the limit. The binomial count is false once in 10^6."""
    scores = policies("chain_10_deterministic", 6, 20_000)
    reached, failed = -8.0, 1.0 - chain.STEPS_PER_POSITION * 10
    assert set(np.unique(scores)) == {reached, failed}
    assert stats.binomtest(int((scores == reached).sum()), scores.size, 2.0**-9).pvalue > 1e-6


def test_random_policies_depend_on_their_number_alone():
    for environment in ("gridworld_5_stochastic", "chain_50_deterministic"):
        few, many = policies(environment, 7, 5), policies(environment, 7, 20)
        assert np.array_equal(few, many[:5])
        low, high = simulation_registry.ENVIRONMENTS[environment].returns
        assert ((many >= low - 1e-6) & (many <= high)).all()
    assert len(np.unique(policies("gridworld_10_stochastic", 8, 100))) > 10
