"""The protocol of the benchmark: offline learning, then one trajectory on each MDP (Castronovo et al. 2016, section 2).

An experiment is a test distribution and a case: in the accurate one the agent's prior is the test distribution, in the
inaccurate one it takes every transition for possible. The MDPs of an experiment are the same for all agents and all
cases. What happens in a trajectory depends on the study's seed, the environment, the agent, its variant and parameters
and the number of the MDP, and on nothing else.
"""

import sys
import time
from types import ModuleType

import numpy as np
from numba import float64, int64, njit, uint64, void

from surefoot.bayesian.clock import CLOCKS
from surefoot.bayesian.distributions import Distribution
from surefoot.bayesian.interfaces import MDPS, Problem, Record
from surefoot.bayesian.sampling import dirichlet
from surefoot.streams import start_stream, stream_key

LEAST = sys.float_info.min
"""Probability of a transition that the distribution allows and that was drawn as 0, as small pseudo-counts are: what is
possible must not depend on which MDPs are played together."""


@njit(inline="always")
def draw_mdp(pseudo_counts, stream, mdp):
    """Fill `mdp` with a draw, row by row; both float64[states, actions, states]."""
    states, actions, _ = pseudo_counts.shape
    for x in range(states):
        for u in range(actions):
            dirichlet(pseudo_counts[x, u], stream, mdp[x, u])
            for y in range(states):
                if mdp[x, u, y] == 0.0 and pseudo_counts[x, u, y] > 0.0:
                    mdp[x, u, y] = LEAST


@njit(void(float64[:, :, ::1], uint64[::1], int64, MDPS), cache=True, nogil=True, error_model="numpy")
def _draw(pseudo_counts, key, first, mdps):
    stream = np.empty(4, np.uint64)
    for i in range(len(mdps)):
        start_stream(key, first + i, stream)
        draw_mdp(pseudo_counts, stream, mdps[i])


def draw_mdps(distribution: Distribution, seed: int, experiment: str, first: int, number: int) -> np.ndarray:
    """The MDPs first..first+number-1 of an experiment.

    Parameters
    ----------
    distribution : the experiment's test distribution
    seed : the study's seed
    experiment : its name; with the seed and an MDP's number all that decides the MDP's random numbers
    first, number : which ones

    Returns
    -------
    float64[number, states, actions, states], transition probabilities
    """
    mdps = np.empty((number, *distribution.pseudo_counts.shape))
    _draw(distribution.pseudo_counts, stream_key(seed, "mdp", experiment), first, mdps)
    return mdps


def learn(
    agent: ModuleType, problem: Problem, key: np.ndarray, arguments: dict[str, object]
) -> tuple[np.ndarray, float]:
    """The offline phase.

    Parameters
    ----------
    agent : its module, see `surefoot.bayesian.interfaces`
    problem : what the agent knows
    key : uint64[4], family of streams
    arguments : the agent's parameters and, where there are several, its variant, by name

    Returns
    -------
    what the agent keeps, float64[n]; its CPU seconds, without compiling
    """
    if hasattr(agent, "ready"):
        agent.ready(**arguments)
    before = time.thread_time()
    learnt = agent.prepare(problem, key, **arguments)
    return learnt, time.thread_time() - before


def play(
    agent: ModuleType,
    problem: Problem,
    learnt: np.ndarray,
    mdps: np.ndarray,
    key: np.ndarray,
    first: int,
    repetitions: int = 1,
    decisions: bool = False,
    transitions: bool = False,
) -> Record:
    """The online phase: one trajectory on each MDP.

    Parameters
    ----------
    agent : its module, see `surefoot.bayesian.interfaces`
    problem : what the agent knows
    learnt : what it kept of the offline phase
    mdps : float64[mdps, states, actions, states]
    key : uint64[4], family of streams
    first : number of the first MDP
    repetitions : how often each trajectory is played, to measure its time; without effect on anything else
    decisions, transitions : whether the time of every single decision, and every transition, are recorded
    """
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
        record.decisions[np.isnan(record.scores)] = np.nan  # a failure ends before its last decision
    return record


REPETITIONS = 1000
"""The most often that a trajectory is repeated."""

WARM_SECONDS = 0.05
"""CPU time of a trajectory beside which it does not matter that a cold kernel begins it."""


def timed_play(
    agent: ModuleType,
    problem: Problem,
    learnt: np.ndarray,
    mdps: np.ndarray,
    key: np.ndarray,
    first: int,
    seconds: float,
    decisions: bool = False,
    transitions: bool = False,
) -> Record:
    """Play as `play` does, each trajectory repeated until it fills this many CPU seconds, judged by a first one.

    That first trajectory also takes the pages of memory and the branches that a cold kernel has to learn. It is kept
    where it takes so long that this does not matter. Where trajectories are repeated, those that single decisions are
    timed on are played apart: there the clock that is read at each of them would be a part of the trajectory's time.
    """
    trial = play(agent, problem, learnt, mdps[:1], key, first, 1, decisions, transitions)
    repetitions = int(np.clip(np.ceil(seconds / trial.seconds[0]), 1, REPETITIONS))
    if repetitions > 1 and decisions:
        timed = play(agent, problem, learnt, mdps, key, first, repetitions, decisions)
        record = play(agent, problem, learnt, mdps, key, first, repetitions, transitions=transitions)
        return record._replace(decisions=timed.decisions)
    if repetitions > 1 or trial.seconds[0] < WARM_SECONDS:
        return play(agent, problem, learnt, mdps, key, first, repetitions, decisions, transitions)
    others = play(agent, problem, learnt, mdps[1:], key, first + 1, 1, decisions, transitions)
    return others._replace(
        scores=np.concatenate([trial.scores, others.scores]),
        seconds=np.concatenate([trial.seconds, others.seconds]),
        decisions=np.concatenate([trial.decisions, others.decisions]),
        transitions=np.concatenate([trial.transitions, others.transitions]),
    )
