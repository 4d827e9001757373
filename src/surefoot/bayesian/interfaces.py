"""What passes between the protocol and an agent of Bayesian reinforcement learning.

An agent is a module with

`prepare(problem, key, **arguments)`
    the offline phase: returns what the agent keeps of it and of its parameters as float64[::1]; `arguments` are those
    of the configuration and the registry. `key` (uint64[4]) is a family of streams of its own. Its seconds are the
    offline time.
`ready(**parameters)`
    if there is one, what is made before that and belongs to no agent's time.
`play`
    the kernel, compiled with `PLAY`: the online phase, on several MDPs. It makes the agent's memory, once, and hands
    it with its three functions to `surefoot.bayesian.trajectories.play_all`, which owns the loop, the clock and the
    record:

    @njit(PLAY, cache=True, nogil=True, error_model="numpy")
    def play(problem, parameters, mdps, key, first, record):
        memory = ...  # whatever arrays the three functions want
        play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)

`start(problem, parameters, memory, stream)`
    forget all of the last trajectory.
`act(problem, parameters, memory, state, stream)`
    the action to play in `state`; a negative number if the agent cannot go on, which ends the trajectory as a failure.
`observe(problem, parameters, memory, state, action, next_state, stream)`
    learn from a transition; called after every action. Its reward is `problem.rewards[state, action, next_state]`.

These three are plain `@njit(inline="always")` or `@njit` functions without signature: they are compiled into `play`,
so that nothing lies between an agent and the clock but its own work.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64, types, uint64


class Problem(NamedTuple):
    """What an agent knows of its task: everything but the transition function of the MDP it is in.

    prior : float64[states, actions, states], pseudo-counts of the prior distribution
    rewards : float64[states, actions, states]
    initial_state : where every trajectory starts
    discount : of the return
    horizon : number of decisions of a trajectory
    """

    prior: np.ndarray
    rewards: np.ndarray
    initial_state: int
    discount: float
    horizon: int


class Record(NamedTuple):
    """Where `play_all` writes what happened; one row an MDP.

    scores : float64[mdps], discounted returns; NaN for a failure
    seconds : float64[mdps], CPU time of a trajectory, the mean over the repetitions
    repetitions : how often each trajectory is played, each time with the same random numbers, at least once
    decisions : float64[mdps, horizon] or float64[0, 0]: seconds from a decision to the next by the wall clock, the
        least of the repetitions
    transitions : int64[mdps, horizon, 3] or int64[0, 0, 0]: state, action, next state
    clocks : int64[2], the numbers of the clocks of CPU time and of wall time, see `surefoot.bayesian.clock`
    """

    scores: np.ndarray
    seconds: np.ndarray
    repetitions: int
    decisions: np.ndarray
    transitions: np.ndarray
    clocks: np.ndarray


PROBLEM = types.NamedTuple((float64[:, :, ::1], float64[:, :, ::1], int64, float64, int64), Problem)
RECORD = types.NamedTuple(
    (float64[::1], float64[::1], int64, float64[:, ::1], int64[:, :, ::1], int64[::1]),
    Record,
)
MDPS = float64[:, :, :, ::1]
"""float64[mdps, states, actions, states]: transition probabilities."""

PLAY = types.void(PROBLEM, float64[::1], MDPS, uint64[::1], int64, RECORD)
"""play(problem, parameters, mdps, key, first, record): play a trajectory on each MDP; that on mdps[i] draws its random
numbers from member first + i of the family of streams `key`."""
