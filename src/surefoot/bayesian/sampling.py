"""Random variates: normal, gamma, Dirichlet, MDPs, binomial, and random choice among ties.

Gamma variates use the method of Marsaglia and Tsang, "A simple method for generating gamma variables" (ACM TOMS 26(3),
2000); a Dirichlet vector is a vector of gamma variates divided by their sum (Devroye, "Non-Uniform Random Variate
Generation", chapter XI.4). For binomial variates, many events are drawn at a time.
"""

import math
import sys

import numpy as np
from numba import float64, int64, njit, uint64, void

from surefoot.bayesian.mdp_distributions import Distribution
from surefoot.bayesian.trajectories import MDPS
from surefoot.streams import below, next_integer, start_stream, stream_key, uniform


@njit(cache=True)
def standard_normal(stream):
    """Draw a standard normal variate by the polar method; the second variate of the pair is discarded."""
    while True:
        first = 2.0 * uniform(stream) - 1.0
        square = first * first + (2.0 * uniform(stream) - 1.0) ** 2
        if 0.0 < square < 1.0:
            return first * math.sqrt(-2.0 * math.log(square) / square)


@njit(cache=True)
def standard_gamma(shape, stream):
    """Draw a gamma variate with the given shape (positive) and scale 1."""
    if shape == 1.0:
        return -math.log(1.0 - uniform(stream))
    if shape < 1.0:
        return standard_gamma_from_one(shape + 1.0, stream) * (1.0 - uniform(stream)) ** (1.0 / shape)
    return standard_gamma_from_one(shape, stream)


@njit(cache=True)
def standard_gamma_from_one(shape, stream):
    """Draw a gamma variate with a shape of at least 1."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        normal = standard_normal(stream)
        v = 1.0 + c * normal
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - uniform(stream)) < 0.5 * normal * normal + d - d * v + d * math.log(v):
                return d * v


@njit(cache=True)
def dirichlet(counts, stream, probabilities):
    """Fill `probabilities` with a draw from the Dirichlet distribution with parameters `counts` (both float64[states]).

    A count of 0 gives exactly 0. At least one count must be positive.
    """
    total = 0.0
    # All variates can be 0 if all counts are tiny. This is rare, but only a loop handles it correctly.
    while total == 0.0:
        for y in range(len(counts)):
            probabilities[y] = standard_gamma(counts[y], stream) if counts[y] > 0.0 else 0.0
            total += probabilities[y]
    for y in range(len(counts)):
        probabilities[y] /= total


LEAST = sys.float_info.min
"""Probability of an allowed transition for which 0 was drawn, which happens with small pseudo-counts.

The transition must not become impossible, since the set of possible transitions must not depend on which MDPs are
played together.
"""


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
    """Draw the MDPs first..first+number-1 of an experiment.

    Parameters
    ----------
    distribution : Distribution
        The experiment's test distribution.
    seed : int
        The study's seed.
    experiment : str
        Name of the experiment; together with the seed and an MDP's number, it determines the MDP's random numbers.
    first, number : int
        Number of the first MDP, and number of MDPs.

    Returns
    -------
    float64[number, states, actions, states]
        Transition probabilities.
    """
    mdps = np.empty((number, *distribution.pseudo_counts.shape))
    _draw(distribution.pseudo_counts, stream_key(seed, "mdp", experiment), first, mdps)
    return mdps


@njit(inline="always")
def successes(number, probability, stream):
    """Draw the number of successes among `number` independent events with the given probability.

    Events are drawn 16 at a time. An event succeeds if a uniform number, drawn bit by bit, is smaller than the
    probability, whose bits are in `threshold`. A random word has four bits for each event, and nearly all events are
    decided after two words.
    """
    happened = 0
    if probability >= 1.0:
        happened = number
        number = 0
    while number > 0:
        undecided = np.uint64(0xFFFF) >> np.uint64(16 - min(number, 16))
        number -= 16
        threshold = np.uint64(probability * 9007199254740992.0) << np.uint64(11)
        yes = np.uint64(0)
        while (undecided != np.uint64(0)) & (threshold != np.uint64(0)):
            bits = next_integer(stream)
            for _ in range(4):
                mask = np.uint64(np.int64(threshold) >> 63)
                yes |= undecided & mask & ~bits
                undecided &= ~(bits ^ mask)
                threshold <<= np.uint64(1)
                bits >>= np.uint64(16)
        # Count the bits of `yes` that are 1.
        yes -= (yes >> np.uint64(1)) & np.uint64(0x5555555555555555)
        yes = (yes & np.uint64(0x3333333333333333)) + ((yes >> np.uint64(2)) & np.uint64(0x3333333333333333))
        yes = (yes + (yes >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        happened += np.int64((yes * np.uint64(0x0101010101010101)) >> np.uint64(56))
    return happened


@njit(inline="always")
def best(table, row, stream):
    """Return the index of the largest number in a row of a table (float64[rows, n]), with random choice among ties.

    A random number is drawn only if there are ties.
    """
    greatest = table[row, 0]
    for i in range(1, table.shape[1]):
        greatest = table[row, i] if table[row, i] > greatest else greatest
    ties = 0
    chosen = 0
    for i in range(table.shape[1]):
        tied = table[row, i] == greatest
        ties += tied
        chosen = i if tied else chosen
    if ties > 1:
        rank = below(stream, ties)
        chosen = -1
        while rank >= 0:
            chosen += 1
            rank -= table[row, chosen] == greatest
    return chosen
