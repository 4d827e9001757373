"""Compare the steps of agents over a Fourier basis with plain kernels and with the limits of this machine.

Imported by `simulation`. A step must read the weights and traces of all outputs, and write the arrays that change; the
features of two states are written once and read once. `bound` is the time of a step of the environment alone plus the
time to move these bytes, at the bandwidth measured with arrays of the same total size, or the time of the
floating-point operations, at the measured rate, whichever is longer.
"""

import time

import numpy as np
import plain_linear_agents
from numba import float64, int64, njit, types, uint64

from surefoot.simulation.agents import actor_critic, sarsa
from surefoot.simulation.agents.agent_kernels import simulator
from surefoot.simulation.agents.sarsa import DEPENDENT_ORDER, INDEPENDENT_ORDER
from surefoot.simulation.fourier import number_of_features
from surefoot.simulation.trial_protocol import DRAW_LINEAR, RESET_CONTINUOUS, STEP_CONTINUOUS
from surefoot.streams import below, start_stream, stream_key

DEPENDENT_ORDERS = (1, 3, 6, 9)
"""With four inputs, these orders make 16, 256, 2,401 and 10,000 features."""

REPETITIONS = 5
SECONDS = 0.1
"""CPU time of one repetition."""

KEY = stream_key(1, "benchmark")


def shortest(work):
    """Return the CPU time per unit of work(times) -> units in nanoseconds, the shortest of several measurements."""
    start = time.process_time_ns()
    work(1)
    start = time.process_time_ns()
    work(1)
    times = max(1, int(SECONDS * 1e9 / max(1, time.process_time_ns() - start)))
    best = np.inf
    for _ in range(REPETITIONS):
        start = time.process_time_ns()
        units = work(times)
        best = min(best, (time.process_time_ns() - start) / units)
    return best


@njit(error_model="numpy", fastmath={"contract"})
def triad(times, a, b, c):
    """Compute a <- b + number c; return the bytes moved, 24 per element."""
    for number in range(times):
        for i in range(len(a)):
            a[i] = b[i] + number * c[i]
    return times * len(a) * 24


@njit(error_model="numpy", fastmath={"contract"})
def polynomials(times, x):
    """Evaluate independent polynomials by Horner's rule; return the number of operations, 64 per element."""
    for number in range(times):
        for i in range(len(x)):
            value, element = float(number), x[i]
            for _ in range(32):
                value = value * element + 0.5
            x[i] = 0.5 + 1e-300 * value
    return times * len(x) * 64


def gigabytes_per_second(size):
    """Return the bandwidth measured with three arrays of `size` bytes in total."""
    arrays = [np.ones(max(16, size // 24)) for _ in range(3)]
    return 1.0 / shortest(lambda times: triad(times * max(1, 100_000 // len(arrays[0])), *arrays))


def gigaflops():
    """Return the measured number of floating-point operations per nanosecond."""
    elements = np.full(1024, 0.5)
    return 1.0 / shortest(lambda times: polynomials(times * 100, elements))


@njit(
    int64(
        int64,
        int64,
        uint64[::1],
        float64[::1],
        float64[::1],
        types.FunctionType(RESET_CONTINUOUS),
        types.FunctionType(STEP_CONTINUOUS),
    ),
    error_model="numpy",
)
def walk(steps_wanted, actions, key, parameters, state, reset, step):
    """Play episodes with uniformly drawn actions for at least `steps_wanted` steps; return the number of steps."""
    stream = np.empty(4, np.uint64)
    start_stream(key, 0, stream)
    all_steps = 0
    while all_steps < steps_wanted:
        reset(parameters, state, stream)
        steps, terminal = 0, False
        while not terminal:
            _, terminal = step(parameters, state, below(stream, actions), steps, stream)
            steps += 1
        all_steps += steps
    return all_steps


def drawn(dependent, policy):
    """Return a compiled function that sets fixed hyperparameters instead of drawing them."""

    @njit(DRAW_LINEAR)
    def draw(hyperparameters, dimensions, actions, stream):
        features = number_of_features(dimensions, dependent, 1)
        hyperparameters[0], hyperparameters[1] = 0.99, 0.8
        hyperparameters[2] = 0.1 / (features * actions) if policy else 0.05
        hyperparameters[3] = 0.1 / features
        hyperparameters[DEPENDENT_ORDER], hyperparameters[INDEPENDENT_ORDER] = dependent, 1

    return draw


def needs(family, actions):
    """Return what a step of an agent needs per feature, as a tuple (moved, operations, storage).

    Bytes moved, floating-point operations, and bytes of the arrays in use. Sarsa reads two arrays for each action, with
    two products, and writes the arrays of one action. The actor-critic has the value and all logits but one as outputs,
    and writes the arrays of all. Computing a feature takes three operations.
    """
    features = 16
    if family == "sarsa":
        return 8 * (2 * actions + 2) + features, 4 * actions + 5 + 3, 16 * actions + 16
    return 8 * 4 * actions + features, 9 * actions + 3, 16 * actions + 16


FAMILIES = {
    "sarsa": (sarsa, plain_linear_agents.sarsa, (False,)),
    "ac": (actor_critic, plain_linear_agents.actor_critic, ()),
}


def step_alone(environment):
    """Return the time of a step of a continuous environment without an agent, in nanoseconds."""
    parameters = np.array(environment.parameters)
    environment.perturb(parameters, np.ones(4, np.uint64))
    state = np.empty(len(environment.low))
    return shortest(
        lambda times: walk(
            1000 * times, environment.actions, KEY, parameters, state, environment.reset, environment.step
        )
    )


def limits(work, features, needed, alone, peak):
    """Return rows with the limits of a step, and the shortest time of a step in nanoseconds.

    Parameters
    ----------
    work : str
        Name of the work, which follows "bandwidth: " and the like.
    features : int
    needed : tuple (moved, operations, storage)
        What a step needs per feature, see `needs`.
    alone : float
        Nanoseconds of a step of the environment without an agent.
    peak : float
        Floating-point operations per nanosecond.
    """
    byte_count, operations, storage = needed
    bandwidth = gigabytes_per_second(storage * features)
    shown = (("bandwidth", bandwidth, "GB/s"), ("bytes a feature", byte_count, "B"))
    shown = (*shown, ("operations a feature", operations, "Flop"))
    rows = [[f"{what}: {work}", features, 1, number, None, unit, None, None] for what, number, unit in shown]
    return rows, alone + max(byte_count * features / bandwidth, operations * features / peak)


def step_times(name, environment):
    """Return the rows of the agents in an environment with four inputs."""
    rows = []
    parameters, low, high = (
        np.array(numbers) for numbers in (environment.parameters, environment.low, environment.high)
    )
    environment.perturb(parameters, np.ones(4, np.uint64))
    alone, peak = step_alone(environment), gigaflops()
    rows.append(["peak: multiply and add", 1024, 1, peak, None, "GFlop/s", None, None])
    for family, (agent, plain, options) in FAMILIES.items():
        for dependent in DEPENDENT_ORDERS:
            features = number_of_features(len(low), dependent, 1)
            limiting, bound = limits(f"{family} in {name}", features, needs(family, environment.actions), alone, peak)
            rows.extend(limiting)
            for adaptive in (False, True):
                draw = drawn(dependent, family == "ac")
                simulate = simulator(agent.linear_trial, environment, draw, *options, adaptive, 1.0)
                performance = np.empty(1)
                ours = shortest(lambda times, simulate=simulate, out=performance: simulate(out, 3 * times, KEY, 0))
                peer = shortest(
                    lambda times, plain=plain, draw=draw, adaptive=adaptive: plain(
                        3 * times,
                        KEY,
                        environment.actions,
                        low,
                        high,
                        parameters,
                        environment.reset,
                        environment.step,
                        draw,
                        adaptive,
                    )
                )
                work = f"step: {family}{'_parl2' if adaptive else ''} in {name}"
                rows.append([work, features, 1, ours, peer, "ns", peer / ours, bound])
    return rows
