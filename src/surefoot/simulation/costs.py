"""What a trial costs, as measured: for estimates of the time left and for the size of chunks of work, no result."""

_SECONDS = {
    "acrobot": {"others": 0.7, "nac_td": 1.6, "ppo": 3.0},
    "cart_pole": {"others": 0.1, "nac_td": 0.15, "ppo": 0.5},
    "mountain_car": {"others": 0.05, "nac_td": 0.15, "ppo": 0.35},
    "chain_10_deterministic": {"others": 1e-4, "nac_td": 9e-4, "ppo": 1e-3},
    "chain_10_stochastic": {"others": 1e-4, "nac_td": 8e-4, "ppo": 1.2e-3},
    "chain_50_deterministic": {"others": 2e-3, "nac_td": 1.2e-2, "ppo": 1.2e-2},
    "chain_50_stochastic": {"others": 2e-3, "nac_td": 1.2e-2, "ppo": 1.3e-2},
    "gridworld_5_deterministic": {"others": 2e-4, "nac_td": 2e-3, "ppo": 2e-3},
    "gridworld_5_stochastic": {"others": 2e-4, "nac_td": 1.6e-3, "ppo": 2.2e-3},
    "gridworld_10_deterministic": {"others": 1e-3, "nac_td": 2.3e-2, "ppo": 9e-3},
    "gridworld_10_stochastic": {"others": 1e-3, "nac_td": 1.8e-2, "ppo": 1e-2},
    "pinball_box": {"others": 0.15, "nac_td": 0.35, "ppo": 1.5},
    "pinball_empty": {"others": 0.15, "nac_td": 0.35, "ppo": 1.5},
    "pinball_medium": {"others": 0.2, "nac_td": 0.4, "ppo": 1.6},
    "pinball_single": {"others": 0.8, "nac_td": 1.0, "ppo": 4.5},
}


SECONDS_OF_OTHERS = 0.01
"""Of a trial with an algorithm or in an environment of a user's, before any was measured."""


def cost(algorithm: str, environment: str) -> float:
    """Rough mean number of CPU seconds that a trial takes on one core, as measured."""
    measured = _SECONDS.get(environment, {"others": SECONDS_OF_OTHERS})
    return measured.get(algorithm, measured["others"])
