"""Cells by name: one agent with its parameters in one environment ``<case>/<experiment>``, as plain data."""

from typing import Any, NamedTuple

import numpy as np

from surefoot.bayesian import protocol
from surefoot.bayesian.distributions import Distribution, from_arrays, from_rows, uniform
from surefoot.bayesian.interfaces import Problem, Record
from surefoot.bayesian.protocol import draw_mdps
from surefoot.bayesian.registry import parameters_text
from surefoot.errors import HintedError
from surefoot.registry import module_named
from surefoot.streams import stream_key


class Cell(NamedTuple):
    """All that decides the scores of a cell, but for the code.

    agent, module : the agent's name and its module, a dotted name or the path of a file
    arguments : its parameters and, where it has several, its variant, by name
    environment, experiment : names
    test : where the test distribution comes from: {"module", "name"}, {"transitions", "initial_state"} or
        {"pseudo_counts", "rewards", "initial_state"}
    prior : the same of the agent's prior; None for the test distribution, "uniform" for one that takes every transition
        for possible
    discount, horizon : of the return
    seed : the study's
    """

    agent: str
    module: str
    arguments: dict[str, object]
    environment: str
    experiment: str
    test: dict[str, Any]
    prior: dict[str, Any] | str | None
    discount: float
    horizon: int
    seed: int


def distribution_of(source: dict[str, Any]) -> Distribution:
    """A distribution from plain data; see `Cell`. Raises ValueError."""
    if "module" in source:
        made: Distribution = getattr(module_named(source["module"]), source["name"])()
        return made
    start = source.get("initial_state", 0)
    if "transitions" in source:
        return from_rows(source["transitions"], start)
    return from_arrays(source["pseudo_counts"], source["rewards"], start)


def problem_of(cell: Cell) -> Problem:
    """What the agent knows. Raises ValueError where prior and test distribution do not fit together."""
    test = distribution_of(cell.test)
    prior = test
    if cell.prior == "uniform":
        prior = uniform(test)
    elif isinstance(cell.prior, dict):
        prior = distribution_of(cell.prior)
        if prior.pseudo_counts.shape != test.pseudo_counts.shape:
            sizes = " and ".join(
                f"{shape[0]} states, {shape[1]} actions"
                for shape in (prior.pseudo_counts.shape, test.pseudo_counts.shape)
            )
            raise HintedError(
                cell.environment, f"prior and test distribution have {sizes}", "the same states and actions"
            )
    # Rewards are known, so they are the task's, whatever the prior.
    return Problem(prior.pseudo_counts, test.rewards, test.initial_state, cell.discount, cell.horizon)


def _key(cell: Cell, phase: str) -> np.ndarray:
    return stream_key(cell.seed, phase, cell.environment, cell.agent, parameters_text(cell.arguments))


def learn(cell: Cell) -> tuple[np.ndarray, float]:
    """The offline phase of a cell; see `protocol.learn`."""
    return protocol.learn(module_named(cell.module), problem_of(cell), _key(cell, "learn"), cell.arguments)


def mdps_of(cell: Cell, first: int, number: int) -> np.ndarray:
    """The MDPs first..first+number-1 of the cell's experiment."""
    return draw_mdps(distribution_of(cell.test), cell.seed, cell.experiment, first, number)


def play(
    cell: Cell,
    learnt: np.ndarray,
    first: int,
    number: int,
    seconds: float = 0.0,
    decisions: bool = False,
    transitions: bool = False,
    trajectories: int = 1,
) -> Record:
    """The online phase of a cell on the MDPs first..first+number-1; see `protocol.timed_play`.

    Of several trajectories on each MDP, each a new start of the agent, the record has the means of scores and seconds,
    and decisions and transitions one after the other.
    """
    module, problem, mdps = module_named(cell.module), problem_of(cell), mdps_of(cell, first, number)
    records = [
        protocol.timed_play(
            module,
            problem,
            learnt,
            mdps,
            _key(cell, phase),
            first,
            seconds,
            decisions=decisions,
            transitions=transitions,
        )
        for phase in ("play", *(f"play/{trajectory}" for trajectory in range(1, trajectories)))
    ]
    return records[0]._replace(
        scores=np.mean([record.scores for record in records], axis=0),
        seconds=np.mean([record.seconds for record in records], axis=0),
        decisions=np.concatenate([record.decisions for record in records], axis=1),
        transitions=np.concatenate([record.transitions for record in records], axis=1),
    )
