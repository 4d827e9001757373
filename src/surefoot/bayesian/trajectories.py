"""Interface between the protocol and an agent (Castronovo et al. 2016, sections 2.2 and 5.1).

This module also contains the loop that plays an agent, measures its time and records its scores. An agent is a module
with

`prepare(problem, key, **arguments)`
    the offline phase: returns the agent's learned state and its parameters as float64[::1]; `arguments` come from the
    configuration and the registry. `key` (uint64[4]) is a family of streams for this phase. The time that the function
    takes is the offline time.
`ready(**parameters)` optional: prepares data, without counting as the agent's time.
`play`
    the kernel for the online phase, which plays a trajectory on each of several MDPs. The trajectory on mdps[i] draws
    its random numbers from member first + i of the family of streams `key`. The kernel allocates the agent's memory
    once, and passes it with its three functions to `play_all`, which contains the loop and fills the record:

    @njit(cache=True, nogil=True, error_model="numpy")
    def play(problem, parameters, mdps, key, first, record):
        memory = ...  # the arrays that the three functions need
        play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record)

`start(problem, parameters, memory, stream)`
    forgets the previous trajectory.
`act(problem, parameters, memory, state, stream)`
    returns the action to play in `state`; a negative number if the agent cannot continue, which ends the trajectory as
    a failure.
`observe(problem, parameters, memory, state, action, next_state, stream)`
    learns from a transition; called after every action. Its reward is `problem.rewards[state, action, next_state]`.

The last three are plain `@njit(inline="always")` or `@njit` functions without signature: they are compiled into `play`,
so that the measured time has no overhead. The loop is compiled into `play` as well, since numba cannot cache a kernel
that passes compiled functions to another one.
"""

import math
import time
from typing import NamedTuple

import numpy as np
from numba import float64, int32, int64, njit, types

from surefoot.streams import start_stream, uniform


class Problem(NamedTuple):
    """The agent's view of its task: everything except the transition function of the MDP.

    prior : float64[states, actions, states], pseudo-counts of the prior distribution
    rewards : float64[states, actions, states]
    initial_state : first state of every trajectory
    discount : discount of the return
    horizon : number of decisions of a trajectory
    """

    prior: np.ndarray
    rewards: np.ndarray
    initial_state: int
    discount: float
    horizon: int


class Record(NamedTuple):
    """Output of `play_all`, with one row per MDP.

    scores : float64[mdps], discounted returns; NaN for a failure
    seconds : float64[mdps], CPU time of a trajectory, the mean over the repetitions
    repetitions : number of times that each trajectory is played, with the same random numbers, at least once
    decisions : float64[mdps, horizon] or float64[0, 0]: wall-clock seconds from one decision to the next, the minimum
        over the repetitions
    transitions : int64[mdps, horizon, 3] or int64[0, 0, 0]: state, action, next state
    clocks : int64[2], numbers of the clocks of CPU time and of wall time, see `CLOCKS`
    """

    scores: np.ndarray
    seconds: np.ndarray
    repetitions: int
    decisions: np.ndarray
    transitions: np.ndarray
    clocks: np.ndarray


PROBLEM = types.NamedTuple((float64[:, :, ::1], float64[:, :, ::1], int64, float64, int64), Problem)
MDPS = float64[:, :, :, ::1]
"""float64[mdps, states, actions, states]: transition probabilities."""

CLOCKS = np.array([time.CLOCK_THREAD_CPUTIME_ID, time.CLOCK_MONOTONIC])
"""Numbers of this system's clocks. The clock of thread CPU time is not affected by other processes, but takes half a
microsecond to read on Linux; the clock of monotonic wall time takes about 25 ns. POSIX systems only.
"""

THREAD_CPU_TIME, WALL_TIME = range(2)
"""Indices into `CLOCKS`."""

_clock_gettime = types.ExternalFunction("clock_gettime", int32(int32, types.voidptr))


@njit(inline="always")
def nanoseconds(clock, reading):
    """Return the time of the clock with this number, in nanoseconds; `reading` (int64[2]) is overwritten."""
    _clock_gettime(np.int32(clock), reading.ctypes)
    return reading[0] * 1_000_000_000 + reading[1]


@njit(inline="always")
def next_state_of(probabilities, stream):
    """Draw a state with the given probabilities (float64[states]), by inversion of one uniform number.

    Rounding errors are assigned to the last state with positive probability.
    """
    chance = uniform(stream)
    cumulative = 0.0
    last = 0
    for state in range(len(probabilities)):
        if probabilities[state] > 0.0:
            cumulative += probabilities[state]
            last = state
            if chance < cumulative:
                break
    return last


@njit(inline="always")
def play_one(start, act, observe, memory, problem, parameters, mdp, stream, decisions, transitions, clock):
    """Play one trajectory on an MDP (float64[states, actions, states]), and return the discounted return.

    The return is the sum over t = 0..horizon-1, in which the first reward is not discounted, or NaN for a failure.
    `decisions` (float64[horizon] or [0]) and `transitions` (int64[horizon, 3] or [0, 3]) are filled if they are not
    empty.
    """
    reading = np.zeros(2, np.int64)
    timed = len(decisions) > 0
    before = nanoseconds(clock, reading) if timed else np.int64(0)
    start(problem, parameters, memory, stream)
    state = problem.initial_state
    score = 0.0
    weight = 1.0
    for step in range(problem.horizon):
        action = act(problem, parameters, memory, state, stream)
        if action < 0:
            return math.nan
        next_state = next_state_of(mdp[state, action], stream)
        score += weight * problem.rewards[state, action, next_state]
        weight *= problem.discount
        observe(problem, parameters, memory, state, action, next_state, stream)
        if len(transitions) > 0:
            transitions[step, 0] = state
            transitions[step, 1] = action
            transitions[step, 2] = next_state
        if timed:
            now = nanoseconds(clock, reading)
            decisions[step] = min(decisions[step], (now - before) * 1e-9)
            before = now
        state = next_state
    return score


@njit(inline="always")
def play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record):
    """Play trajectories on the given MDPs and fill the record.

    The time of a trajectory includes the agent's start, its decisions and learning, and the steps of the MDP. The time
    of the first decision includes the agent's start.
    """
    stream = np.empty(4, np.uint64)
    reading = np.zeros(2, np.int64)
    no_decisions = np.empty(0)
    no_transitions = np.empty((0, 3), np.int64)
    thread_clock = record.clocks[THREAD_CPU_TIME]
    wall_clock = record.clocks[WALL_TIME]
    for i in range(len(mdps)):
        decisions = record.decisions[i] if len(record.decisions) > 0 else no_decisions
        decisions[:] = np.inf
        transitions = record.transitions[i] if len(record.transitions) > 0 else no_transitions
        before = nanoseconds(thread_clock, reading)
        for _ in range(record.repetitions):
            start_stream(key, first + i, stream)
            record.scores[i] = play_one(
                start, act, observe, memory, problem, parameters, mdps[i], stream, decisions, transitions, wall_clock
            )
        now = nanoseconds(thread_clock, reading)
        record.seconds[i] = (now - before) * 1e-9 / record.repetitions
