"""The agents and the distributions over MDPs that a study may name, and what decides the numbers of a cell.

Light on purpose: nothing heavy is imported. A module named in an entry is a dotted path; `surefoot.bayesian.interfaces`
says what an agent's module must define.
"""

from typing import Any

from surefoot.bayesian.entries import AGENTS, EXPERIMENTS
from surefoot.bayesian.entry import Agent

CELLS = "surefoot.bayesian.cells"
PLAY_TABLE = "surefoot.bayesian.play_table"
PLAY_OPTIONS = ("repeat_seconds", "decision_times", "transitions", "trajectories")
"""What of a study's section decides how each cell is played."""

CASES = ("accurate", "inaccurate")
"""The prior is the test distribution; or it takes every transition for possible."""

DISCOUNT = 0.95
HORIZON = 250
"""Of the paper's experiments; its formula for the horizon gives less, and was not used."""


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
