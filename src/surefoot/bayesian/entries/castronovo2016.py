"""Agents and distributions over MDPs of Castronovo et al. 2016, in the order of the paper's tables."""

from surefoot.bayesian.entry import VARIANTS, Agent, Experiment, Parameter

_DISTRIBUTIONS = "surefoot.bayesian.distributions"
_AGENTS = "surefoot.bayesian.agents"

AGENTS = {
    "random": Agent("Random", f"{_AGENTS}.random", {}),
    "e_greedy": Agent("e-Greedy", f"{_AGENTS}.e_greedy", {"epsilon": Parameter("real", 0.0, 1.0)}),
    "soft_max": Agent("Soft-Max", f"{_AGENTS}.soft_max", {"tau": Parameter("real", 1e-6)}, VARIANTS),
    "opps_ds": Agent(
        "OPPS-DS",
        f"{_AGENTS}.opps_ds",
        {"formulas": Parameter("whole", 1, 6), "budget": Parameter("whole", 1)},
        VARIANTS,
    ),
    "formula": Agent("OPPS-DS, one formula", f"{_AGENTS}.formula", {"formula": Parameter("name")}),
    "bamcp": Agent("BAMCP", f"{_AGENTS}.bamcp", {"simulations": Parameter("whole", 1), "depth": Parameter("whole", 1)}),
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
}

EXPERIMENTS = {
    "gc": Experiment("GC", _DISTRIBUTIONS, "gc"),
    "gdl": Experiment("GDL", _DISTRIBUTIONS, "gdl"),
    "grid": Experiment("Grid", _DISTRIBUTIONS, "grid"),
}
