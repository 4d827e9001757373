"""MDPs drawn from a distribution: numbered, shared by all agents and priors (Castronovo et al. 2016, section 5.1)."""

import sys

import numpy as np
from numba import float64, int64, njit, uint64, void

from surefoot.bayesian.distributions import Distribution
from surefoot.bayesian.interfaces import MDPS
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
