"""Registry of algorithms and environments that studies may name, and the settings that determine a cell's results.

Importing this module is fast. Modules are named by dotted path; see `protocol` for the functions that a module must
define.

A study may add algorithms and environments: `own` is the section `user_defined` of its source, {"algorithms": {name:
{"file", "arguments"}}, "environments": {name: {"file", "arguments", "kind", "episodes", "returns"}}}.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from surefoot.registry import Registry

if TYPE_CHECKING:
    import numpy as np


PYTHON = "python"
"""Kind of environments that can be any Python object; see `protocol`."""


class Algorithm(NamedTuple):
    """Complete definition of an algorithm. `arguments` are passed to the module's `tabular` or `linear`."""

    title: str
    module: str
    arguments: dict[str, object]
    scaled: bool = False
    """True if step sizes are divided by the number of features, which tables do not have."""


class Environment(NamedTuple):
    """Environment. `arguments` are passed to the module's `environment`."""

    title: str
    module: str
    arguments: dict[str, object]
    kind: str
    """Kind of environment: "discrete", "continuous", or `PYTHON`."""
    episodes: int
    """Number of episodes per trial."""
    returns: tuple[float, float]
    """Lowest and highest possible return of an episode, or bounds for them."""


_SARSA = "surefoot.simulation.agents.sarsa"
_ACTOR_CRITIC = "surefoot.simulation.agents.actor_critic"
_NAC_TD = "surefoot.simulation.agents.nac_td"
_PPO = "surefoot.simulation.agents.ppo"


ALGORITHMS = Registry(
    "algorithms",
    {
        "ac": Algorithm("AC", _ACTOR_CRITIC, {"adaptive": False}),
        "ac_s": Algorithm("AC-s", _ACTOR_CRITIC, {"adaptive": False}, scaled=True),
        "ac_parl2": Algorithm("AC-Parl2", _ACTOR_CRITIC, {"adaptive": True}),
        "sarsa": Algorithm("Sarsa(λ)", _SARSA, {"target": "sarsa", "adaptive": False}),
        "sarsa_s": Algorithm("Sarsa(λ)-s", _SARSA, {"target": "sarsa", "adaptive": False}, scaled=True),
        "sarsa_parl2": Algorithm("Sarsa-Parl2", _SARSA, {"target": "sarsa", "adaptive": True}),
        "q": Algorithm("Q(λ)", _SARSA, {"target": "q", "adaptive": False}),
        "q_s": Algorithm("Q(λ)-s", _SARSA, {"target": "q", "adaptive": False}, scaled=True),
        "q_parl2": Algorithm("Q-Parl2", _SARSA, {"target": "q", "adaptive": True}),
        "nac_td": Algorithm("NAC-TD", _NAC_TD, {}),
        "ppo": Algorithm("PPO", _PPO, {}),
        # The data of the published study of coverage were made with Parl2 steps ten times too small.
        "ac_parl2_tenth": Algorithm("AC-Parl2 (steps/10)", _ACTOR_CRITIC, {"adaptive": True, "fraction": 0.1}),
        "sarsa_parl2_tenth": Algorithm(
            "Sarsa-Parl2 (steps/10)", _SARSA, {"target": "sarsa", "adaptive": True, "fraction": 0.1}
        ),
        "q_parl2_tenth": Algorithm("Q-Parl2 (steps/10)", _SARSA, {"target": "q", "adaptive": True, "fraction": 0.1}),
    },
)


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

ENVIRONMENTS = Registry(
    "environments",
    {
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
    },
)
"""Environments of Jordan et al. 2020, in the order of the paper's tables."""

PROTOCOL = "surefoot.simulation.trial_protocol"
HYPERPARAMETERS = ("discount", "trace_decay", "exploration", "step_size")
"""Hyperparameters of a grid, in the order of the agents' kernels."""
NONE_OF_ITS_OWN: Mapping[str, Any] = MappingProxyType({})


def algorithms(own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, Algorithm]:
    """Return the algorithms of the package and of a study."""
    mine = own.get("algorithms", {})
    return ALGORITHMS | {
        name: Algorithm(name, entry["file"], entry.get("arguments", {})) for name, entry in mine.items()
    }


def environments(own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, Environment]:
    """Return the environments of the package and of a study."""
    mine = own.get("environments", {})
    return ENVIRONMENTS | {
        name: Environment(
            name, entry["file"], entry.get("arguments", {}), entry["kind"], entry["episodes"], tuple(entry["returns"])
        )
        for name, entry in mine.items()
    }


def cell(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> str:
    """Return the algorithm that is run: sarsa for sarsa_s in discrete environments, where step sizes are not scaled."""
    if algorithms(own)[algorithm].scaled and environments(own)[environment].kind == "discrete":
        return algorithm.removesuffix("_s")
    return algorithm


def modules(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> tuple[str, ...]:
    """Return the modules (dotted names) and files (paths) that, with their imports, determine a cell's results."""
    return algorithms(own)[algorithm].module, environments(own)[environment].module, PROTOCOL


def settings(algorithm: str, environment: str, own: Mapping[str, Any] = NONE_OF_ITS_OWN) -> dict[str, object]:
    """Return the settings that determine a cell's results, as plain data."""
    definition = algorithms(own)[algorithm]
    world = environments(own)[environment]
    scaled = definition.scaled and world.kind == "continuous"
    chosen = {"algorithms": algorithm, "environments": environment}
    added = {kind: {name: own[kind][name]} for kind, name in chosen.items() if name in own.get(kind, {})}
    return (
        {
            "algorithm": cell(algorithm, environment, own),
            "algorithm_arguments": definition.arguments | ({"scaled": True} if scaled else {}),
            "environment": environment,
            "environment_arguments": world.arguments,
            "episodes": world.episodes,
        }
        | ({"own": added} if added else {})
        | ({"kind": PYTHON} if world.kind == PYTHON else {})
    )


def simulate(
    algorithm: str,
    environment: str,
    seed: int,
    first_trial: int,
    trials: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    own: Mapping[str, Any] = NONE_OF_ITS_OWN,
) -> "np.ndarray":
    """Simulate the trials first_trial..first_trial+trials-1 of an algorithm in an environment.

    Parameters
    ----------
    algorithm, environment : str
        Names in `ALGORITHMS` and `ENVIRONMENTS`, or in `own`.
    seed : int
        The study's seed, non-negative.
    first_trial, trials : int
        Number of the first trial, and number of trials. The result of a trial depends on its number, but not on which
        other trials are simulated.
    threads : int, default 1
        Number of threads; without effect on the result.
    progress : callable, optional
        Called occasionally with the number of trials done so far.
    own : mapping, optional
        User-defined algorithms and environments.

    Returns
    -------
    float64[trials]
        Mean return over all episodes of each trial.

    Raises
    ------
    KeyError
        If a name is unknown.
    ValueError
        If a number is out of range.
    """
    from surefoot.simulation.trial_protocol import simulate_cell

    cell_settings = settings(algorithm, environment, own)
    cell_modules = modules(algorithm, environment, own)
    return simulate_cell(cell_settings, cell_modules, seed, first_trial, trials, threads, progress)


ALGORITHMS.complete()
ENVIRONMENTS.complete()
