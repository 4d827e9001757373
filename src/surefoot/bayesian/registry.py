"""The agents and the distributions over MDPs that a study may name, and what decides the numbers of a cell.

Light on purpose: nothing heavy is imported. A module named in an entry is a dotted path;
`surefoot.bayesian.trajectories` says what an agent's module must define.
"""

from typing import Any, NamedTuple

from surefoot.registry import Registry

VARIANTS = ("as_published", "corrected")
"""The variants of an agent whose published scores were made by what the paper does not say."""


class Parameter(NamedTuple):
    """A parameter of an agent and the values that it may have: numbers low..high, or names."""

    kind: str
    """"real", "whole" or "name"."""
    low: float = 0.0
    high: float = float("inf")


class Agent(NamedTuple):
    """An agent. `parameters` and, where there are any, one of its `variants` go to the module's `prepare` by name."""

    title: str
    module: str
    parameters: dict[str, Parameter]
    variants: tuple[str, ...] = ()
    """Where what made the published scores is not what the paper says: the one, the other, and what else there is."""


class Experiment(NamedTuple):
    """A test distribution: `module` has a function `name` that returns it."""

    title: str
    module: str
    name: str


def parameters_text(parameters: dict[str, object]) -> str:
    """Parameters as they are in the run table, such as ``delta=7, epsilon=0.001``; 7 and 7.0 are the same.

    Sorted by name: the text is part of the keys of streams, which no order may change.
    """
    return ", ".join(
        f"{name}={value if isinstance(value, str) else f'{value:.12g}'}" for name, value in sorted(parameters.items())
    )


_DISTRIBUTIONS = "surefoot.bayesian.distributions"
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
        "formula": Agent("OPPS-DS, one formula", f"{_AGENTS}.formula", {"formula": Parameter("name")}),
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
"""Distributions over MDPs; these and the agents are those of Castronovo et al. 2016, in the order of its tables."""

CELLS = "surefoot.bayesian.cells"
PLAY_OPTIONS = ("repeat_seconds", "decision_times", "transitions", "trajectories")
"""What of a study's section decides how each cell is played."""

CASES = ("accurate", "inaccurate")
"""The prior is the test distribution; or it takes every transition for possible."""

DISCOUNT = 0.95
HORIZON = 250
"""The horizon of the paper's experiments; its formula for the horizon gives less, and was not used."""


def source_of(experiment: str) -> dict[str, object]:
    """Where a distribution of the package comes from, as `surefoot.bayesian.cells.Cell` has it."""
    entry = EXPERIMENTS[experiment]
    return {"module": entry.module, "name": entry.name}


def case_and_experiment(environment: str) -> tuple[str, str]:
    """What an environment such as "accurate/gc" is made of: the case, or the name of the prior, and the experiment."""
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
    """The arguments of `surefoot.bayesian.cells.Cell`; a user's experiment needs `test`, a user's agent its `file`."""
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
    """Dotted names of the modules, and paths of the files, that decide what a cell learns and scores, with all that
    they import."""
    named = [
        source["module"] for source in (cell["test"], cell["prior"]) if isinstance(source, dict) and "module" in source
    ]
    return cell["module"], CELLS, *named


AGENTS.complete()
EXPERIMENTS.complete()
