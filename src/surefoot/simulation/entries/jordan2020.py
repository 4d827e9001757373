"""Algorithms and environments of Jordan et al. 2020, in the order of the paper's tables."""

from surefoot.simulation.entry import Algorithm, Environment

_SARSA = "surefoot.simulation.definitions.sarsa"
_ACTOR_CRITIC = "surefoot.simulation.definitions.actor_critic"
_NAC_TD = "surefoot.simulation.definitions.nac_td"
_PPO = "surefoot.simulation.definitions.ppo"


def _sarsa(title: str, target: str, adaptive: bool = False, scaled: bool = False) -> Algorithm:
    return Algorithm(title, _SARSA, {"target": target, "adaptive": adaptive}, scaled)


# The data of the published study of coverage were made with Parl2 steps ten times too small.
_TENTHS = {
    "ac_parl2_tenth": Algorithm("AC-Parl2 (steps/10)", _ACTOR_CRITIC, {"adaptive": True, "tenth": True}),
    "sarsa_parl2_tenth": Algorithm(
        "Sarsa-Parl2 (steps/10)", _SARSA, {"target": "sarsa", "adaptive": True, "tenth": True}
    ),
    "q_parl2_tenth": Algorithm("Q-Parl2 (steps/10)", _SARSA, {"target": "q", "adaptive": True, "tenth": True}),
}

ALGORITHMS = {
    "ac": Algorithm("AC", _ACTOR_CRITIC, {"adaptive": False}),
    "ac_s": Algorithm("AC-s", _ACTOR_CRITIC, {"adaptive": False}, scaled=True),
    "ac_parl2": Algorithm("AC-Parl2", _ACTOR_CRITIC, {"adaptive": True}),
    "sarsa": _sarsa("Sarsa(λ)", "sarsa"),
    "sarsa_s": _sarsa("Sarsa(λ)-s", "sarsa", scaled=True),
    "sarsa_parl2": _sarsa("Sarsa-Parl2", "sarsa", adaptive=True),
    "q": _sarsa("Q(λ)", "q"),
    "q_s": _sarsa("Q(λ)-s", "q", scaled=True),
    "q_parl2": _sarsa("Q-Parl2", "q", adaptive=True),
    "nac_td": Algorithm("NAC-TD", _NAC_TD, {}),
    "ppo": Algorithm("PPO", _PPO, {}),
    **_TENTHS,
}


def _chain(length: int, stochastic: bool) -> Environment:
    title = f"Chain {length} {'Stochastic' if stochastic else 'Deterministic'}"
    arguments: dict[str, object] = {"length": length, "stochastic": stochastic}
    returns = (1.0 - 20 * length, 2.0 - length)
    return Environment(title, "surefoot.simulation.environments.chain", arguments, "discrete", 100, returns)


def _gridworld(size: int, stochastic: bool) -> Environment:
    title = f"Gridworld {size} {'Stochastic' if stochastic else 'Deterministic'}"
    arguments: dict[str, object] = {"size": size, "stochastic": stochastic}
    returns = (-20.0 * size**2, 2.0 - 2 * size)
    return Environment(title, "surefoot.simulation.environments.gridworld", arguments, "discrete", 100, returns)


def _continuous(
    module: str, title: str, episodes: int, returns: tuple[float, float], **arguments: object
) -> Environment:
    return Environment(title, f"surefoot.simulation.environments.{module}", arguments, "continuous", episodes, returns)


_PINBALL_RETURNS = (-5001.0, 10_000.0)


ENVIRONMENTS = {
    "acrobot": _continuous("acrobot", "Acrobot", 500, (-200.0, 0.0)),
    "cart_pole": _continuous("cart_pole", "Cart-Pole", 100, (0.0, 1000.0)),
    "mountain_car": _continuous("mountain_car", "Mountain Car", 100, (-5000.0, 0.0)),
    "chain_10_deterministic": _chain(10, False),
    "chain_10_stochastic": _chain(10, True),
    "chain_50_deterministic": _chain(50, False),
    "chain_50_stochastic": _chain(50, True),
    "gridworld_5_deterministic": _gridworld(5, False),
    "gridworld_5_stochastic": _gridworld(5, True),
    "gridworld_10_deterministic": _gridworld(10, False),
    "gridworld_10_stochastic": _gridworld(10, True),
    "pinball_box": _continuous("pinball", "Pinball Box", 100, _PINBALL_RETURNS, name="box"),
    "pinball_empty": _continuous("pinball", "Pinball Empty", 100, _PINBALL_RETURNS, name="empty"),
    "pinball_medium": _continuous("pinball", "Pinball Medium", 100, _PINBALL_RETURNS, name="medium"),
    "pinball_single": _continuous("pinball", "Pinball Single", 200, _PINBALL_RETURNS, name="single"),
}
