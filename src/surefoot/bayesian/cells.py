"""Cells (one agent with its parameters in one environment ``<case>/<experiment>``, as plain data) and their plays.

The protocol is offline learning, then one trajectory on each MDP (Castronovo et al. 2016, section 2). An experiment is
a test distribution, and a case is a choice of the agent's prior: in the accurate case, it is the test distribution; in
the inaccurate case, it makes every transition possible. The MDPs of an experiment are the same for all agents and all
cases. A trajectory depends only on the study's seed, the environment, the agent, its variant and parameters, and the
number of the MDP.
"""

import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.bayesian.bayesian_registry import parameters_text
from surefoot.bayesian.mdp_distributions import Distribution, from_arrays, from_rows, uniform
from surefoot.bayesian.sampling import draw_mdps
from surefoot.bayesian.trajectories import CLOCKS, Problem, Record
from surefoot.errors import HintedError
from surefoot.registry import module_named
from surefoot.streams import stream_key


class Cell(NamedTuple):
    """Settings that, together with the code, determine the scores of a cell.

    agent, module : name of the agent and of its module, a dotted name or the path of a file
    arguments : parameters and, if there are several, the variant of the agent, by name
    environment, experiment : names of the environment and the experiment
    test : source of the test distribution: {"module", "name"}, {"transitions", "initial_state"} or
        {"pseudo_counts", "rewards", "initial_state"}
    prior : source of the agent's prior; None for the test distribution, "uniform" for a prior that makes every
        transition possible
    discount, horizon : discount and horizon of the return
    seed : seed of the study
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
    """Create a distribution from plain data; see `Cell`.

    Raises
    ------
    ValueError
        If the data are invalid.
    """
    if "module" in source:
        distribution: Distribution = getattr(module_named(source["module"]), source["name"])()
        return distribution
    start = source.get("initial_state", 0)
    if "transitions" in source:
        return from_rows(source["transitions"], start)
    return from_arrays(source["pseudo_counts"], source["rewards"], start)


def problem_of(cell: Cell) -> Problem:
    """Return the agent's view of the task.

    Raises
    ------
    ValueError
        If prior and test distribution have different shapes.
    """
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
                cell.environment, f"prior and test distribution have {sizes}", "use the same states and actions"
            )
    # Rewards are known, so they come from the task, not from the prior.
    return Problem(prior.pseudo_counts, test.rewards, test.initial_state, cell.discount, cell.horizon)


def _key(cell: Cell, phase: str) -> np.ndarray:
    return stream_key(cell.seed, phase, cell.environment, cell.agent, parameters_text(cell.arguments))


def learn(cell: Cell) -> tuple[np.ndarray, float]:
    """Run the offline phase; return the learned state, float64[n], and the CPU seconds without compilation."""
    agent = module_named(cell.module)
    problem = problem_of(cell)
    key = _key(cell, "learn")
    if hasattr(agent, "ready"):
        agent.ready(**cell.arguments)
    before = time.thread_time()
    learnt = agent.prepare(problem, key, **cell.arguments)
    return learnt, time.thread_time() - before


REPETITIONS = 1000
"""Largest number of repetitions of a trajectory."""

WARM_UP = 20
"""Number of decisions that are played first, to estimate the time of a trajectory and to warm up a newly loaded kernel.
"""


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
    """Run the online phase of a cell on the MDPs first..first+number-1.

    Parameters
    ----------
    cell : Cell
    learnt : float64[n]
        The agent's state after the offline phase.
    first, number : int
        Number of the first MDP, and number of MDPs.
    seconds : float, default 0.0
        CPU seconds for which each trajectory is repeated to measure its time. Scores do not depend on it.
    decisions, transitions : bool, default False
        Record the time of every single decision, and every transition.
    trajectories : int, default 1
        Number of trajectories on each MDP, each with a new start of the agent. If there are several, the record has
        mean scores and seconds, and concatenated decisions and transitions.
    """
    agent = module_named(cell.module)
    problem = problem_of(cell)
    mdps = draw_mdps(distribution_of(cell.test), cell.seed, cell.experiment, first, number)
    short = problem._replace(horizon=min(problem.horizon, WARM_UP))
    begun = _play(agent, short, learnt, mdps[:1], _key(cell, "play"), first, 1, False, False)
    expected = max(begun.seconds[0] * problem.horizon / short.horizon, 1e-9)
    repetitions = int(np.clip(np.ceil(seconds / expected), 1, REPETITIONS))
    # Reading the clock at each decision would add to the time of a short trajectory.
    apart = decisions and repetitions > 1
    records = []
    for phase in ("play", *(f"play/{trajectory}" for trajectory in range(1, trajectories))):
        arguments = agent, problem, learnt, mdps, _key(cell, phase), first, repetitions
        record = _play(*arguments, decisions and not apart, transitions)
        records.append(record._replace(decisions=_play(*arguments, True, False).decisions) if apart else record)
    return records[0]._replace(
        scores=np.mean([record.scores for record in records], axis=0),
        seconds=np.mean([record.seconds for record in records], axis=0),
        decisions=np.concatenate([record.decisions for record in records], axis=1),
        transitions=np.concatenate([record.transitions for record in records], axis=1),
    )


def _play(
    agent: ModuleType,
    problem: Problem,
    learnt: np.ndarray,
    mdps: np.ndarray,
    key: np.ndarray,
    first: int,
    repetitions: int,
    decisions: bool,
    transitions: bool,
) -> Record:
    """Play one trajectory on each MDP; `first` is the number of the first MDP."""
    number = len(mdps)
    record = Record(
        np.empty(number),
        np.empty(number),
        repetitions,
        np.empty((number, problem.horizon) if decisions else (0, 0)),
        np.full((number, problem.horizon, 3) if transitions else (0, 0, 0), -1, np.int64),
        CLOCKS,
    )
    agent.play(problem, learnt, mdps, key, first, record)
    if decisions:
        record.decisions[np.isnan(record.scores)] = (
            np.nan
        )  # a trajectory that fails has no complete record of decisions
    return record


FUNCTIONALS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda seconds: seconds.mean(axis=1),
    "median": lambda seconds: np.median(seconds, axis=1),
    "quantile_95": lambda seconds: np.quantile(seconds, 0.95, axis=1),
    "longest": lambda seconds: seconds.max(axis=1),
}


def play_table(
    arguments: Mapping[str, Any], known: Mapping[str, Any], first: int, number: int, options: Mapping[str, Any]
) -> pd.DataFrame:
    """Play a cell on the MDPs first..first+number-1.

    Parameters
    ----------
    arguments : mapping
        Arguments of `Cell`.
    known : mapping
        Result of the offline phase: "learnt" (a list of numbers) and "seconds".
    first, number : int
        Number of the first MDP, and number of MDPs.
    options : mapping
        Values of the settings `registry.PLAY_OPTIONS`.

    Returns
    -------
    DataFrame
        Columns algorithm, variant, parameters, environment, run, score, failed, seconds_offline, seconds_online,
        decisions, decision_<functional> for each of `decision_times`, machine and, if `transitions` is true,
        transitions (state, action, next_state of all steps, concatenated) and seconds (of each decision).
    """
    cell = Cell(**arguments)
    record = play(
        cell,
        np.array(known["learnt"]),
        first,
        number,
        seconds=options["repeat_seconds"],
        decisions=bool(options["decision_times"]),
        transitions=options["transitions"],
        trajectories=options["trajectories"],
    )
    parameters = {key: value for key, value in cell.arguments.items() if key != "variant"}
    columns = {
        "algorithm": cell.agent,
        "variant": cell.arguments.get("variant", ""),
        "parameters": parameters_text(parameters),
        "environment": cell.environment,
        "run": range(first, first + number),
        "score": record.scores,
        "failed": np.isnan(record.scores),
        "seconds_offline": known["seconds"],
        "seconds_online": record.seconds,
        "decisions": cell.horizon,
    }
    for name in options["decision_times"]:
        columns[f"decision_{name}"] = FUNCTIONALS[name](record.decisions)
    if options["transitions"]:
        columns["transitions"] = [row.ravel() for row in record.transitions]
        if options["decision_times"]:
            columns["seconds"] = list(record.decisions)
    return pd.DataFrame(columns | {"machine": describe_machine()})


def describe_machine() -> str:
    """Describe the processor, its cores, the system, and the resolution of its clocks."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file():
        lines = information.read_text().splitlines()
        processor = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), processor)
    thread, wall = (f"{time.clock_getres(clock) * 1e9:.0f} ns" for clock in CLOCKS.tolist())
    clocks = f"thread CPU time in steps of {thread}, wall time in steps of {wall}"
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}; {clocks}"
