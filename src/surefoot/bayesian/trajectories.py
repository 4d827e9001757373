"""Trajectories: the loop of decisions, its clock and its record (Castronovo et al. 2016, sections 2.2 and 5.1).

All is inlined into an agent's kernel: numba cannot cache a kernel that hands compiled functions to another one.
"""

import math

import numpy as np
from numba import njit

from surefoot.bayesian.clock import THREAD_CPU_TIME, WALL_TIME, nanoseconds
from surefoot.streams import start_stream, uniform


@njit(inline="always")
def next_state_of(probabilities, stream):
    """A state with these probabilities (float64[states]), by inversion of one uniform number.

    The last state of positive probability takes what rounding leaves.
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
    """One trajectory on an MDP (float64[states, actions, states]): its discounted return, NaN for a failure.

    The sum runs over t = 0..horizon-1; the first reward is not discounted. `decisions` (float64[horizon] or [0]) and
    `transitions` (int64[horizon, 3] or [0, 3]) are filled where they have room.
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
            transitions[step, 0], transitions[step, 1], transitions[step, 2] = state, action, next_state
        if timed:
            now = nanoseconds(clock, reading)
            decisions[step] = min(decisions[step], (now - before) * 1e-9)
            before = now
        state = next_state
    return score


@njit(inline="always")
def play_all(start, act, observe, memory, problem, parameters, mdps, key, first, record):
    """Fill the record of trajectories on these MDPs; see `surefoot.bayesian.interfaces`.

    A trajectory's time is all of it: the agent's start, its decisions and learning, and the steps of the MDP. The
    first decision's time has the agent's start in it.
    """
    stream = np.empty(4, np.uint64)
    reading = np.zeros(2, np.int64)
    no_decisions = np.empty(0)
    no_transitions = np.empty((0, 3), np.int64)
    for i in range(len(mdps)):
        decisions = record.decisions[i] if len(record.decisions) > 0 else no_decisions
        decisions[:] = np.inf
        transitions = record.transitions[i] if len(record.transitions) > 0 else no_transitions
        before = nanoseconds(record.clocks[THREAD_CPU_TIME], reading)
        for _ in range(record.repetitions):
            start_stream(key, first + i, stream)
            record.scores[i] = play_one(
                start,
                act,
                observe,
                memory,
                problem,
                parameters,
                mdps[i],
                stream,
                decisions,
                transitions,
                record.clocks[WALL_TIME],
            )
        now = nanoseconds(record.clocks[THREAD_CPU_TIME], reading)
        record.seconds[i] = (now - before) * 1e-9 / record.repetitions
