"""Compare the speed of simulated trials with plain kernels: python benchmarks/simulation.py OUT.csv

Rows "step": nanoseconds of CPU time per environment step, agent and environment together, on one thread; the median of
several repetitions of the same trials. The peer (`plain_agents`) changes every entry of the tables at every step.
`bound` is the time of a walk with drawn actions and without learning: no agent that draws a number for each action can
be faster. `linear_steps` describes the rows of agents over a Fourier basis.

Rows "trials": trials per second (wall-clock time), from the fastest of several repetitions. `bound` is the rate of one
thread times the number of threads.
"""

import math
import sys
import time
from importlib import import_module

import linear_steps
import numpy as np
import pandas as pd
import plain_agents
import policy_agents
from numba import float64, int64, njit, types, uint64

from surefoot.simulation import simulation_registry, trial_protocol
from surefoot.simulation.simulation_registry import simulate
from surefoot.simulation.trial_protocol import RESET, STEP
from surefoot.streams import below, start_stream, stream_key
from surefoot.workflow.measured_seconds import seconds_of_trial

COLUMNS = ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
SEED = 1
REPETITIONS = 5
SECONDS = 0.05
"""Approximate CPU time of one repetition of ours."""

LINEAR_ENVIRONMENTS = ("cart_pole", "pinball_empty")
"""Environments with two and with five actions."""

PLAIN = {
    "surefoot.simulation.agents.sarsa": plain_agents.sarsa,
    "surefoot.simulation.agents.actor_critic": plain_agents.actor_critic,
}
"""For each definition of agents over tables, the peer."""


@njit(
    int64(int64, int64, int64, uint64[::1], float64[::1], types.FunctionType(RESET), types.FunctionType(STEP)),
    error_model="numpy",
)
def walk(steps_wanted, actions, number, key, parameters, reset, step):
    """Play episodes with uniformly drawn actions for at least `steps_wanted` steps; return the number of steps."""
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    all_steps = 0
    while all_steps < steps_wanted:
        state, steps, terminal = reset(parameters, stream), 0, False
        while not terminal:
            state, _, terminal = step(parameters, state, below(stream, actions), steps, stream)
            steps += 1
        all_steps += steps
    return all_steps


def nanoseconds_per_step(work):
    """Return the CPU time per step of work() -> number of steps, the median of several repetitions."""
    work()
    times = []
    for _ in range(REPETITIONS):
        start = time.process_time_ns()
        steps = work()
        times.append((time.process_time_ns() - start) / steps)
    return np.median(times)


def step_times(algorithm, name):
    """Return the row of an algorithm in an environment over tables."""
    settings, modules = simulation_registry.settings(algorithm, name), simulation_registry.modules(algorithm, name)
    environment = import_module(modules[1]).environment(**settings["environment_arguments"])
    definition = import_module(modules[0])
    constants = np.array(environment.parameters)
    key = stream_key(SEED, "simulate", algorithm, name)
    trials = max(5, round(SECONDS / seconds_of_trial(algorithm, name)))

    fill = trial_protocol.prepare(settings, modules, SEED)
    performances = np.empty(trials)
    ours = nanoseconds_per_step(lambda: fill(performances, 0))

    arguments = settings["algorithm_arguments"]
    adaptive = arguments["adaptive"]
    plain = PLAIN[modules[0]]
    draw = definition.draw_tabular_adaptive if adaptive else definition.draw_tabular
    peer = nanoseconds_per_step(
        lambda: plain(
            trials,
            settings["episodes"],
            key,
            environment.states,
            environment.actions,
            constants,
            environment.perturb,
            environment.step,
            draw,
            arguments.get("target") == "q",
            adaptive,
        )
    )
    parameters = constants.copy()
    environment.perturb(parameters, np.ones(4, np.uint64))
    bound = nanoseconds_per_step(
        lambda: walk(1_000_000, environment.actions, 0, key, parameters, environment.reset, environment.step)
    )
    return [f"step: {algorithm} in {name}", environment.states, 1, ours, peer, "ns", peer / ours, bound]


def trial_rates(algorithm, name, threads_wanted=(1, 2)):
    """Return a row with trials per second for each number of threads."""
    trials = max(50, round(1.0 / seconds_of_trial(algorithm, name)))
    simulate(algorithm, name, SEED, 0, 1)
    times = dict.fromkeys(threads_wanted, math.inf)
    for _ in range(REPETITIONS):
        for threads in threads_wanted:
            start = time.perf_counter()
            simulate(algorithm, name, SEED, 0, trials, threads)
            times[threads] = min(times[threads], time.perf_counter() - start)
    arguments = simulation_registry.ENVIRONMENTS[name].arguments
    states = arguments.get("length") or arguments["size"] ** 2
    rates = {threads: trials / seconds for threads, seconds in times.items()}
    work = f"trials: {algorithm} in {name}"
    return [[work, states, threads, rate, None, "1/s", None, threads * rates[1]] for threads, rate in rates.items()]


def measure() -> pd.DataFrame:
    """Return the table of all measurements."""
    rows = []
    for name in LINEAR_ENVIRONMENTS:
        settings = simulation_registry.ENVIRONMENTS[name]
        environment = import_module(settings.module).environment(**settings.arguments)
        rows.extend(linear_steps.step_times(name, environment))
    for name in (name for name, settings in simulation_registry.ENVIRONMENTS.items() if settings.kind == "discrete"):
        for algorithm, settings in simulation_registry.ALGORITHMS.items():
            has_peer = settings.module in PLAIN and not algorithm.endswith("_tenth")
            if has_peer and simulation_registry.cell(algorithm, name) == algorithm:
                rows.append(step_times(algorithm, name))
    rows.extend(policy_agents.rows(nanoseconds_per_step))
    for name in ("chain_50_stochastic", "gridworld_10_stochastic"):
        for algorithm in ("sarsa", "ac"):
            rows.extend(trial_rates(algorithm, name))
    return pd.DataFrame(rows, columns=COLUMNS)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = measure()
    table.to_csv(sys.argv[1], index=False, float_format="%.4g")
    print(table.to_string(index=False, float_format=lambda number: f"{number:.3g}"))
