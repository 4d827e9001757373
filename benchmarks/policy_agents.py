"""Measure the time of a step of NAC-TD and PPO, as rows of the benchmark of the simulation.

Over a Fourier basis with fixed orders, so that the number of features is known (orders 1, 3, 6 and 9 with four inputs
make 16, 256, 2,401 and 10,000 features), and over tables. PPO makes 5 epochs over buffers of 128 steps in minibatches
of 32. The column `bound` is computed as in `linear_steps`.
"""

import linear_steps
import numpy as np
from numba import njit

from surefoot.simulation.agents import linear_ppo, nac_td, ppo
from surefoot.simulation.agents.agent_kernels import simulator
from surefoot.simulation.environments import cart_pole, chain, gridworld, pinball
from surefoot.simulation.trial_protocol import DRAW_LINEAR
from surefoot.streams import stream_key

ORDERS = (1, 3, 6, 9)
EPOCHS, BUFFER, MINIBATCH = 5, 128, 32
SEED = 1


def draw_nac_td(order):
    """Return a compiled function that sets fixed hyperparameters of NAC-TD with which weights do not diverge."""

    @njit(DRAW_LINEAR)
    def draw(hyperparameters, dimensions, actions, stream):
        hyperparameters[nac_td.DISCOUNT] = 0.99
        hyperparameters[nac_td.TRACE_DECAY] = 0.8
        step_size = 1e-4 / (order + 1) ** dimensions
        hyperparameters[nac_td.POLICY_STEP_SIZE] = 1e-4
        hyperparameters[nac_td.VALUE_STEP_SIZE] = step_size
        hyperparameters[nac_td.ADVANTAGE_STEP_SIZE] = step_size
        hyperparameters[nac_td.DEPENDENT_ORDER] = order
        hyperparameters[nac_td.INDEPENDENT_ORDER] = order

    return draw


def draw_ppo(order):
    """Return a compiled function that sets fixed hyperparameters of PPO, in the middle of their ranges."""

    @njit(DRAW_LINEAR)
    def draw(hyperparameters, dimensions, actions, stream):
        hyperparameters[ppo.DISCOUNT] = 0.99
        hyperparameters[ppo.TRACE_DECAY] = 0.8
        hyperparameters[ppo.CLIP] = 0.2
        hyperparameters[ppo.ENTROPY_WEIGHT] = 1e-4
        hyperparameters[ppo.BUFFER] = BUFFER
        hyperparameters[ppo.EPOCHS] = EPOCHS
        hyperparameters[ppo.MINIBATCH] = MINIBATCH
        hyperparameters[ppo.STEP_SIZE] = 1e-5
        hyperparameters[linear_ppo.DEPENDENT_ORDER] = order
        hyperparameters[linear_ppo.INDEPENDENT_ORDER] = order

    return draw


def flops_per_feature(algorithm, actions):
    """Return the floating-point operations per step and feature; a fused multiply-add counts as two."""
    making = 3
    if algorithm == "nac_td":
        return making + 13 * actions + 8
    outputs = actions + 1
    epoch = 2 * making + 4 * outputs + 12 * outputs / MINIBATCH
    return making + 2 * outputs + EPOCHS * epoch


def bytes_per_feature(algorithm, actions):
    """Return the bytes moved per step and feature, and the bytes of the arrays in use per feature.

    NAC-TD reads and writes the weights and traces of the critic, and theta, w and the traces of w for every action; the
    features of two states are written once and read once. PPO reads the weights of all outputs to act, and again in
    each minibatch, where Adam also reads and writes the weights and both moments. PPO computes the features each time.
    """
    if algorithm == "nac_td":
        return 16 * (3 * actions + 2) + 16, 8 * (3 * actions + 2) + 16
    outputs = actions + 1
    return 8 * outputs + EPOCHS * (8 + 48) * outputs / MINIBATCH, 24 * outputs


def work(simulate, episodes, key):
    """Return a function without arguments that simulates one trial and returns its number of steps."""
    performances = np.empty(1)
    return lambda: simulate(performances, episodes, key, 0)


def rows(nanoseconds_per_step):
    """Return the rows of all agents and environments.

    nanoseconds_per_step : function that measures the time per step of a function work() -> number of steps
    """
    table = []
    peak = linear_steps.gigaflops()
    key = stream_key(SEED, "policy agents")
    agents = (("nac_td", nac_td, draw_nac_td), ("ppo", linear_ppo, draw_ppo))
    for name, environment, episodes in (
        ("cart_pole", cart_pole.environment(), 60),
        ("pinball_empty", pinball.environment("empty"), 2),
    ):
        alone = linear_steps.step_alone(environment)
        for algorithm, agent, draw in agents:
            moved, storage = bytes_per_feature(algorithm, environment.actions)
            needed = moved, flops_per_feature(algorithm, environment.actions), storage
            for order in ORDERS:
                count = (order + 1) ** len(environment.low)
                ours = nanoseconds_per_step(
                    work(simulator(agent.linear_trial, environment, draw(order)), episodes, key)
                )
                limiting, bound = linear_steps.limits(f"{algorithm} in {name}", count, needed, alone, peak)
                table += [*limiting, [f"step: {algorithm} in {name}", count, 1, ours, None, "ns", None, bound]]
    for name, environment in (
        ("chain_10_stochastic", chain.environment(length=10, stochastic=True)),
        ("gridworld_10_stochastic", gridworld.environment(size=10, stochastic=True)),
    ):
        for algorithm, agent in (("nac_td", nac_td), ("ppo", ppo)):
            ours = nanoseconds_per_step(work(simulator(agent.tabular_trial, environment, agent.draw_tabular), 100, key))
            table.append([f"step: {algorithm} in {name}", environment.states, 1, ours, None, "ns", None, None])
    return table
