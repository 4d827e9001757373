"""The registry of algorithms and environments fits the modules that it names."""

import pytest

from surefoot.simulation import simulation_registry
from surefoot.simulation.simulation_registry import simulate
from surefoot.workflow.measured_seconds import seconds_of_trial

PUBLISHED = [algorithm for algorithm in simulation_registry.ALGORITHMS if not algorithm.endswith("_tenth")]
PAIRS = [(algorithm, environment) for algorithm in PUBLISHED for environment in simulation_registry.ENVIRONMENTS]


def test_scaled_algorithms_are_their_base_if_discrete():
    assert [
        name for name in simulation_registry.ALGORITHMS if simulation_registry.cell(name, "chain_10_stochastic") != name
    ] == [
        "ac_s",
        "sarsa_s",
        "q_s",
    ]
    scaled = simulate("sarsa_s", "chain_10_stochastic", 1, 0, 10)
    assert scaled.tobytes() == simulate("sarsa", "chain_10_stochastic", 1, 0, 10).tobytes()


@pytest.mark.parametrize("environment", simulation_registry.ENVIRONMENTS)
def test_every_pair_runs(environment):
    """Returns stay within the range of the environment, whatever diverges."""
    _, module, arguments, kind, _, (worst, best) = simulation_registry.ENVIRONMENTS[environment]
    short = {"file": module, "arguments": arguments, "kind": kind, "episodes": 2, "returns": [worst, best]}
    for algorithm in simulation_registry.ALGORITHMS:
        performances = simulate(algorithm, environment, 1, 0, 2, own={"environments": {environment: short}})
        assert ((performances >= worst - 1e-9) & (performances <= best)).all()


def test_the_registry_is_complete():
    """Eleven algorithms and fifteen environments; the order is that of the paper's tables."""
    assert len(PAIRS) == 165
    assert list(simulation_registry.ENVIRONMENTS)[:3] == ["acrobot", "cart_pole", "mountain_car"]
    assert {
        name: world.episodes for name, world in simulation_registry.ENVIRONMENTS.items() if world.episodes != 100
    } == {
        "acrobot": 500,
        "pinball_single": 200,
    }
    for pair in PAIRS:
        assert 1e-5 < seconds_of_trial(*pair) < 20
