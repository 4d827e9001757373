"""The protocol of the benchmark: offline learning, then one trajectory on each MDP (Castronovo et al. 2016, section 2).

An experiment is a test distribution and a case: in the accurate one the agent's prior is the test distribution, in the
inaccurate one it takes every transition for possible. The MDPs of an experiment are the same for all agents and both
cases. What happens in a trajectory depends on the study's seed, the environment, the agent, its variant and parameters
and the number of the MDP, and on nothing else.
"""

import time
from importlib import import_module
from typing import NamedTuple

import numpy as np

from surefoot.bayesian import registry
from surefoot.bayesian.clock import CLOCKS
from surefoot.bayesian.distributions import Distribution, uniform
from surefoot.bayesian.interfaces import Problem, Record
from surefoot.bayesian.mdps import draw_mdps
from surefoot.streams import stream_key

DISCOUNT = 0.95
HORIZON = 250


class Cell(NamedTuple):
    """One agent with its parameters in one environment, ``<case>/<experiment>``."""

    agent: str
    variant: str
    parameters: dict[str, object]
    case: str
    experiment: str
    discount: float = DISCOUNT
    horizon: int = HORIZON

    @property
    def environment(self) -> str:
        """Its name in the run table."""
        return f"{self.case}/{self.experiment}"


def distribution_of(experiment: str) -> Distribution:
    """The distribution that the experiment's MDPs are drawn from."""
    entry = registry.EXPERIMENTS[experiment]
    return getattr(import_module(entry.module), entry.name)()


def problem_of(cell: Cell) -> Problem:
    """What the agent knows."""
    distribution = distribution_of(cell.experiment)
    prior = distribution if cell.case == "accurate" else uniform(distribution)
    return Problem(prior.pseudo_counts, prior.rewards, prior.initial_state, cell.discount, cell.horizon)


def cell_key(cell: Cell, seed: int, *names: str) -> np.ndarray:
    """Key of the family of streams of a cell: uint64[4]."""
    text = registry.parameters_text(cell.parameters)
    return stream_key(seed, *names, cell.environment, cell.agent, cell.variant, text)


def learn(cell: Cell, seed: int) -> tuple[np.ndarray, float]:
    """The offline phase: (what the agent keeps, float64[n]; its CPU seconds, those of compiling not counted)."""
    module = import_module(registry.AGENTS[cell.agent].module)
    arguments = dict(cell.parameters)
    if registry.AGENTS[cell.agent].differs:
        arguments["variant"] = cell.variant
    before = time.thread_time()
    learnt = module.prepare(problem_of(cell), cell_key(cell, seed, "learn"), **arguments)
    return learnt, time.thread_time() - before


def play(
    cell: Cell,
    seed: int,
    learnt: np.ndarray,
    first: int,
    number: int,
    repetitions: int = 1,
    decisions: bool = False,
    transitions: bool = False,
) -> Record:
    """One trajectory on each of the MDPs first..first+number-1.

    Parameters
    ----------
    cell, seed : what is played
    learnt : from `learn`
    first, number : which MDPs
    repetitions : how often each trajectory is played, to measure its time; without effect on anything else
    decisions, transitions : whether the time of every single decision, and every transition, are recorded
    """
    mdps = draw_mdps(distribution_of(cell.experiment), seed, cell.experiment, first, number)
    record = Record(
        np.empty(number),
        np.empty(number),
        repetitions,
        np.empty((number, cell.horizon) if decisions else (0, 0)),
        np.empty((number, cell.horizon, 3) if transitions else (0, 0, 0), np.int64),
        CLOCKS,
    )
    kernel = import_module(registry.AGENTS[cell.agent].module).play
    kernel(problem_of(cell), learnt, mdps, cell_key(cell, seed, "play"), first, record)
    return record
