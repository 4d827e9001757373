"""Registry of agents and distributions over MDPs, and the settings that determine a cell's results.

Importing this module is fast. Modules are named by dotted path; see `surefoot.bayesian.trajectories` for the
functions that an agent's module must define.
"""

from typing import Any, NamedTuple

from surefoot.registry import Registry

VARIANTS = ("as_published", "corrected")
"""Variants of an agent whose published scores deviate from the paper's description."""


class Parameter(NamedTuple):
    """Parameter of an agent with its valid values: numbers low..high, or names."""

    kind: str
    """"real", "whole" or "name"."""
    low: float = 0.0
    high: float = float("inf")


class Agent(NamedTuple):
    """Agent. `parameters` and, if there are any, one of its `variants` are passed to the module's `prepare` by name."""

    title: str
    module: str
    parameters: dict[str, Parameter]
    variants: tuple[str, ...] = ()
    """Variants of the agent, if its published scores deviate from the paper's description."""


class Experiment(NamedTuple):
    """Test distribution: the function `name` of `module` returns it."""

    title: str
    module: str
    name: str


def parameters_text(parameters: dict[str, object]) -> str:
    """Format parameters as in the run table, such as ``delta=7, epsilon=0.001``; 7 and 7.0 are the same.

    Parameters are sorted by name, since the text is part of the keys of random streams.
    """
    return ", ".join(
        f"{name}={value if isinstance(value, str) else f'{value:.12g}'}" for name, value in sorted(parameters.items())
    )


_DISTRIBUTIONS = "surefoot.bayesian.mdp_distributions"
_AGENTS = "surefoot.bayesian.agents"

AGENTS = Registry(
    "agents",
    {
        "random": Agent("Random", f"{_AGENTS}.random", {}),
        "e_greedy": Agent("e-Greedy", f"{_AGENTS}.mean_q", {"epsilon": Parameter("real", 0.0, 1.0)}),
        "soft_max": Agent("Soft-Max", f"{_AGENTS}.mean_q", {"tau": Parameter("real", 1e-6)}, VARIANTS),
        "opps_ds": Agent(
            "OPPS-DS",
            f"{_AGENTS}.opps_ds",
            {"formulas": Parameter("whole", 1, 6), "budget": Parameter("whole", 1)},
            VARIANTS,
        ),
        "formula": Agent("OPPS-DS (one formula)", f"{_AGENTS}.formula", {"formula": Parameter("name")}),
        "bamcp": Agent(
            "BAMCP", f"{_AGENTS}.bamcp", {"simulations": Parameter("whole", 1), "depth": Parameter("whole", 1)}
        ),
        "bfs3": Agent(
            "BFS3",
            f"{_AGENTS}.bfs3",
            {"rollouts": Parameter("whole", 1), "samples": Parameter("whole", 1), "depth": Parameter("whole", 1)},
        ),
        "sboss": Agent(
            "SBOSS",
            f"{_AGENTS}.sboss",
            {"epsilon": Parameter("real", 1e-12), "delta": Parameter("real", 0.0)},
            (*VARIANTS, "half_copied"),
        ),
        "beb": Agent("BEB", f"{_AGENTS}.beb", {"beta": Parameter("real", 0.0)}, VARIANTS),
    },
)


EXPERIMENTS = Registry(
    "experiments",
    {
        "gc": Experiment("GC", _DISTRIBUTIONS, "gc"),
        "gdl": Experiment("GDL", _DISTRIBUTIONS, "gdl"),
        "grid": Experiment("Grid", _DISTRIBUTIONS, "grid"),
    },
)
"""Distributions over MDPs. Agents and distributions are in the order of the tables of Castronovo et al. (2016)."""

CELLS = "surefoot.bayesian.cells"
PLAY_OPTIONS = ("repeat_seconds", "decision_times", "transitions", "trajectories")
"""Settings of a source of plays that determine how each cell is played."""

CASES = ("accurate", "inaccurate")
"""Cases of the prior: "accurate", the test distribution, or "inaccurate", where every transition is possible."""

DISCOUNT = 0.95
HORIZON = 250
"""Horizon of the paper's experiments. The paper's formula gives a smaller number, but was not used."""


def source_of(experiment: str) -> dict[str, object]:
    """Return the source of a distribution of the package, for `surefoot.bayesian.cells.Cell`."""
    entry = EXPERIMENTS[experiment]
    return {"module": entry.module, "name": entry.name}


def case_and_experiment(environment: str) -> tuple[str, str]:
    """Split an environment such as "accurate/gc" into the case (or the name of the prior) and the experiment."""
    case, _, experiment = environment.partition("/")
    return case, experiment


def cell(
    agent: str,
    parameters: dict[str, object],
    environment: str,
    variant: str = "as_published",
    seed: int = 0,
    test: dict[str, object] | None = None,
    file: str | None = None,
) -> dict[str, object]:
    """Return the arguments of `surefoot.bayesian.cells.Cell`.

    A user-defined experiment needs `test`, and a user-defined agent needs `file`.
    """
    case, experiment = case_and_experiment(environment)
    entry = Agent(agent, file, {}) if file else AGENTS[agent]
    return {
        "agent": agent,
        "module": entry.module,
        "arguments": parameters | ({"variant": variant} if entry.variants else {}),
        "environment": environment,
        "experiment": experiment,
        "test": source_of(experiment) if test is None else test,
        "prior": None if case == CASES[0] else "uniform",
        "discount": DISCOUNT,
        "horizon": HORIZON,
        "seed": seed,
    }


def modules(cell: dict[str, Any]) -> tuple[str, ...]:
    """Return the modules (dotted names) and files (paths) that, with their imports, determine a cell's results."""
    named = [
        source["module"] for source in (cell["test"], cell["prior"]) if isinstance(source, dict) and "module" in source
    ]
    return cell["module"], CELLS, *named


AGENTS.complete()
EXPERIMENTS.complete()
