"""Steps of agents over a Fourier basis beside plain kernels and what this machine's memory and arithmetic allow.

Imported by `simulation`. A step must read the weights and traces of all outputs and write those that take the
features: so many bytes at the bandwidth measured here with arrays of the same size in total, or so many
floating-point operations at the rate measured here, whichever takes longer, is added to the time of a step of
the environment alone to give `bound`. (The features of two states are counted, too: made and written once, read once.)
"""

import time

import numpy as np
import plain_linear_agents
from numba import float64, int64, njit, types, uint64

from surefoot.simulation.agents import linear_actor_critic, linear_sarsa
from surefoot.simulation.agents.kernels import simulator
from surefoot.simulation.agents.linear_sarsa import DEPENDENT_ORDER, INDEPENDENT_ORDER
from surefoot.simulation.fourier import number_of_features
from surefoot.simulation.protocol import DRAW_LINEAR, RESET_CONTINUOUS, STEP_CONTINUOUS
from surefoot.streams import below, start_stream, stream_key

DEPENDENT_ORDERS = (1, 3, 6, 9)
"""16, 256, 2,401 and 10,000 features of four inputs."""

REPETITIONS = 5
SECONDS = 0.1
"""CPU time of one repetition."""

KEY = stream_key(1, "benchmark")


def shortest(work):
    """Nanoseconds of CPU time a unit of work(times) -> units, the best of several; done once before, for compiling."""
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
    """a <- b + number c: 24 bytes an element."""
    for number in range(times):
        for i in range(len(a)):
            a[i] = b[i] + number * c[i]
    return times * len(a) * 24


@njit(error_model="numpy", fastmath={"contract"})
def polynomials(times, x):
    """Polynomials by Horner's rule, many independent ones at a time: 64 operations an element."""
    for number in range(times):
        for i in range(len(x)):
            value, element = float(number), x[i]
            for _ in range(32):
                value = value * element + 0.5
            x[i] = 0.5 + 1e-300 * value
    return times * len(x) * 64


def gigabytes_per_second(size):
    """Bandwidth with three arrays of `size` bytes in total."""
    arrays = [np.ones(max(16, size // 24)) for _ in range(3)]
    return 1.0 / shortest(lambda times: triad(times * max(1, 100_000 // len(arrays[0])), *arrays))


def gigaflops():
    """Floating-point operations per nanosecond."""
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
    """At least so many steps with actions drawn uniformly; how many it were."""
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
    """A compiled function that draws nothing: these hyperparameters."""

    @njit(DRAW_LINEAR)
    def draw(hyperparameters, dimensions, actions, stream):
        features = number_of_features(dimensions, dependent, 1)
        hyperparameters[0], hyperparameters[1] = 0.99, 0.8
        hyperparameters[2] = 0.1 / (features * actions) if policy else 0.05
        hyperparameters[3] = 0.1 / features
        hyperparameters[DEPENDENT_ORDER], hyperparameters[INDEPENDENT_ORDER] = dependent, 1

    return draw


def needs(family, actions):
    """(bytes, floating-point operations, bytes of arrays in use) a feature of a step of this family.

    Sarsa reads two arrays for each action, with two products, and writes those of one action. The actor-critic's
    outputs are a value and all logits but one; all are written. A feature takes three operations to make.
    """
    features = 16
    if family == "sarsa":
        return 8 * (2 * actions + 2) + features, 4 * actions + 5 + 3, 16 * actions + 16
    return 8 * 4 * actions + features, 9 * actions + 3, 16 * actions + 16


FAMILIES = {
    "sarsa": (linear_sarsa, plain_linear_agents.sarsa, (False,)),
    "ac": (linear_actor_critic, plain_linear_agents.actor_critic, ()),
}


def step_alone(environment):
    """Nanoseconds of a step of a continuous environment without an agent."""
    parameters = np.array(environment.parameters)
    environment.perturb(parameters, np.ones(4, np.uint64))
    state = np.empty(len(environment.low))
    return shortest(
        lambda times: walk(
            1000 * times, environment.actions, KEY, parameters, state, environment.reset, environment.step
        )
    )


def limits(work, features, needed, alone, peak):
    """Rows of what limits a step, and the least nanoseconds that it allows.

    Parameters
    ----------
    work : what stands behind "bandwidth: " and the like
    needed : (bytes, floating-point operations, bytes of arrays in use) a feature
    alone, peak : nanoseconds of a step of the environment, floating-point operations a nanosecond
    """
    byte_count, operations, storage = needed
    bandwidth = gigabytes_per_second(storage * features)
    shown = (("bandwidth", bandwidth, "GB/s"), ("bytes a feature", byte_count, "B"))
    shown = (*shown, ("operations a feature", operations, "Flop"))
    rows = [[f"{what}: {work}", features, 1, number, None, unit, None, None] for what, number, unit in shown]
    return rows, alone + max(byte_count * features / bandwidth, operations * features / peak)


def step_times(name, environment):
    """Rows for the agents in one environment of four dimensions."""
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
                simulate = simulator(agent.trial, environment, draw, *options, adaptive, 1.0)
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
