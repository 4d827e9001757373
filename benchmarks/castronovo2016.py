"""Compare the time per decision of the Bayesian agents with the authors' library.

    python benchmarks/castronovo2016.py OUT.csv

Measures microseconds of CPU time per decision on one thread. Everything except compiling is included: the start of the
agent, its decisions and learning, and the steps of the MDP. The time of a trajectory is the shortest of several
repetitions, as other work of the machine only adds to it; the mean over several MDPs is reported. The offline search of
OPPS-DS is measured in seconds. The peer is not run: its times are constants below, measured with the authors' C++
library (BBRL, -O3, one thread) on a similar machine with equal parameters.

`bound` is the time that the arithmetic, or the random numbers, of a decision take alone on this machine. It counts four
operations for each possible transition and sweep (agents that plan in mean MDPs), one random number for each step of a
simulation (BAMCP), eight operations for each sampled next state of a node that a rollout visits (BFS3), and one random
number for each possible transition of each drawn model (SBOSS, which plans once).
"""

import sys
import time
from importlib.util import find_spec

import numpy as np
import pandas as pd
from numba import njit

from surefoot.bayesian import bayesian_registry, posteriors
from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.bayesian.formulas import FEATURES
from surefoot.streams import start_stream, stream_key, uniform

COLUMNS = ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
SEED = 1
EXPERIMENTS = ("gc", "gdl", "grid")
MDPS = 10
SECONDS = 0.005
"""A trajectory is repeated until it has taken this CPU time."""
REPETITIONS = 5
"""Number of measurements of each trajectory; 2 if all trajectories together take longer than `LONG` CPU seconds."""
LONG = 5.0

PEER = {
    ("random", ()): (None, None, None),
    ("e_greedy", (("epsilon", 0.0),)): (12.0, 7.7, 73.0),
    ("soft_max", (("tau", 0.1),)): (None, None, None),
    ("beb", (("beta", 2.5),)): (18.0, 29.0, 425.0),
    ("formula", (("formula", "X0"),)): (13.0, 9.0, 72.0),
    ("formula", (("formula", "X0 X2 ADD"),)): (43.0, 32.0, 633.0),
    ("sboss", (("epsilon", 0.001), ("delta", 7))): (6.0, 29.0, 170.0),
    ("bamcp", (("simulations", 500), ("depth", 15))): (1552.0, 3200.0, 42900.0),
    ("bfs3", (("rollouts", 500), ("samples", 15), ("depth", 15))): (20500.0, 9300.0, 51700.0),
}
"""Microseconds per decision of the authors' library on GC, GDL and Grid, in the accurate case."""

PEER_OFFLINE = (2.4, 1.6, 16.5)
"""Seconds of OPPS-DS in the authors' library, with the formulas of at most two tokens and 500 pulls."""


@njit(error_model="numpy")
def _operations(values, factors, times):
    """Apply four operations to each value, `times` times; the arrays fit into the first-level cache."""
    for _ in range(times):
        for i in range(len(values)):
            values[i] = factors[i] * (values[i] + 0.5) + factors[i] * 0.25
    return values[0]


@njit
def _numbers(stream, times):
    total = 0.0
    for _ in range(times):
        total += uniform(stream)
    return total


def _microseconds(work, amount):
    """Return the CPU time of one of the `amount` units that `work` does, the shortest of seven measurements."""
    work()
    least = np.inf
    for _ in range(7):
        start = time.thread_time_ns()
        work()
        least = min(least, time.thread_time_ns() - start)
    return least * 1e-3 / amount


def operation_time():
    """Return the mean time of a multiplication or addition in microseconds."""
    values, factors = np.ones(1000), np.full(1000, 0.5)
    return _microseconds(lambda: _operations(values, factors, 2000), 4 * 1000 * 2000)


def random_number_time():
    """Return the mean time to draw a random number in microseconds."""
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(SEED, "benchmark"), 0, stream)
    return _microseconds(lambda: _numbers(stream, 1_000_000), 1_000_000)


def sweeps_and_transitions(cell, solver):
    """Return the mean, over the decisions of a trajectory, of sweeps times possible transitions of the mean MDP."""
    problem = problem_of(cell)
    model = posteriors.new_mean_model(problem.prior)
    posteriors.reset_mean_model(model, problem.prior, problem.rewards)
    total = 0
    for state, action, successor in play(cell, learn(cell)[0], 0, 1, transitions=True).transitions[0]:
        total += solver(model) * model.number.sum()
        posteriors.add_transition(model, problem.rewards, state, action, successor)
    return total / problem.horizon


def bound_of(agent, parameters, cell, operation, number):
    """Return the time of the arithmetic or the random numbers of a decision in microseconds, or None if unknown."""
    if agent in ("e_greedy", "soft_max", "formula"):
        features = sum(f"X{i}" in parameters.get("formula", "X0") for i in range(FEATURES))
        work = sweeps_and_transitions(cell, lambda model: posteriors.q_iteration(model, 0.95, 250))
        # The models of the other features have more transitions than the prior's, so this is still a lower bound.
        return 4.0 * work * features * operation
    if agent == "beb":
        work = sweeps_and_transitions(cell, lambda model: posteriors.value_iteration(model, 0.95))
        return 4.0 * work * operation
    if agent == "bamcp":
        return parameters["simulations"] * parameters["depth"] * number
    if agent == "bfs3":
        prior = problem_of(cell).prior
        trees = prior.shape[1] * parameters["samples"]
        rollouts = max(1, parameters["rollouts"] // parameters["samples"])
        width = (prior > 0).sum(axis=2).max()
        return 8.0 * trees * rollouts * parameters["depth"] * width * operation
    if agent == "sboss":
        prior = problem_of(cell).prior
        total = prior.sum(axis=2, keepdims=True)
        variance = (prior * (total - prior) / (total**2 * (total + 1.0))).max(axis=2)
        drawn = np.ceil(variance / parameters["epsilon"]) * (prior > 0).sum(axis=2)
        return drawn.sum() * number / cell.horizon
    return number if agent == "random" else None


def least_seconds(cell):
    """Return the mean over the MDPs of the shortest CPU time of a trajectory, in seconds."""
    learnt = learn(cell)[0]
    least = play(cell, learnt, 0, MDPS, SECONDS).seconds
    for _ in range(REPETITIONS - 1 if least.sum() < LONG else 1):
        least = np.minimum(least, play(cell, learnt, 0, MDPS, SECONDS).seconds)
    return float(least.mean())


def measure() -> pd.DataFrame:
    """Return a row for each agent on each experiment, and for the offline search on each experiment."""
    operation, number = operation_time(), random_number_time()
    rows = []
    for (agent, given), peers in PEER.items():
        if find_spec(bayesian_registry.AGENTS[agent].module) is None:
            continue
        parameters = dict(given)
        for experiment, peer in zip(EXPERIMENTS, peers, strict=True):
            cell = Cell(**bayesian_registry.cell(agent, parameters, f"accurate/{experiment}", seed=SEED))
            ours = least_seconds(cell) * 1e6 / cell.horizon
            title = bayesian_registry.AGENTS[agent].title
            work = f"decision: {title}({', '.join(map(str, parameters.values()))}) on {experiment}"
            bound = bound_of(agent, parameters, cell, operation, number)
            size = problem_of(cell).prior.shape[0]
            rows.append([work, size, 1, ours, peer, "us, peer as published", peer and peer / ours, bound])
    for experiment, peer in zip(EXPERIMENTS, PEER_OFFLINE, strict=True):
        cell = Cell(
            **bayesian_registry.cell("opps_ds", {"formulas": 2, "budget": 500}, f"accurate/{experiment}", seed=SEED)
        )
        learn(cell)
        ours = min(learn(cell)[1] for _ in range(3))
        size = problem_of(cell).prior.shape[0]
        rows.append(
            [
                f"offline: OPPS-DS(F2, 500) on {experiment}",
                size,
                1,
                ours,
                peer,
                "s, peer as published",
                peer / ours,
                None,
            ]
        )
    return pd.DataFrame(rows, columns=COLUMNS)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = measure()
    table.to_csv(sys.argv[1], index=False, float_format="%.4g")
    print(table.to_string(index=False, float_format=lambda number: f"{number:.3g}"))
