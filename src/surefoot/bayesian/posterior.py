"""Posterior counts of a flat Dirichlet-multinomial distribution (Castronovo et al. 2016, section 2.2).

Observing (x, u, y) adds one to the count of y in the row (x, u); nothing else changes. The states that a row can lead
to, those of positive count, are kept in increasing order, so that a sparse row costs as little as it should.
"""

from typing import NamedTuple

import numpy as np
from numba import njit


class Posterior(NamedTuple):
    """Counts of the posterior.

    counts : float64[states, actions, states], pseudo-counts of the prior and observations
    totals : float64[states, actions], their sums over next states
    successors : int64[states, actions, states], the next states of positive count, increasing, in the first places
    number : int64[states, actions], how many there are
    """

    counts: np.ndarray
    totals: np.ndarray
    successors: np.ndarray
    number: np.ndarray


@njit(cache=True)
def new_posterior(prior):
    """Memory for a posterior; `reset_posterior` fills it. `prior` : float64[states, actions, states]."""
    states, actions, _ = prior.shape
    return Posterior(
        np.empty((states, actions, states)),
        np.empty((states, actions)),
        np.empty((states, actions, states), np.int64),
        np.empty((states, actions), np.int64),
    )


@njit(cache=True)
def reset_posterior(posterior, prior):
    """Nothing observed yet: the counts of `prior` (float64[states, actions, states])."""
    states, actions, _ = prior.shape
    posterior.counts[:] = prior
    for x in range(states):
        for u in range(actions):
            number = 0
            total = 0.0
            for y in range(states):
                total += prior[x, u, y]
                if prior[x, u, y] > 0.0:
                    posterior.successors[x, u, number] = y
                    number += 1
            posterior.totals[x, u] = total
            posterior.number[x, u] = number


@njit(cache=True)
def add_observation(posterior, x, u, y):
    """Count the transition (x, u, y), be it possible under the prior or not."""
    if posterior.counts[x, u, y] == 0.0:
        place = posterior.number[x, u]
        while place > 0 and posterior.successors[x, u, place - 1] > y:
            posterior.successors[x, u, place] = posterior.successors[x, u, place - 1]
            place -= 1
        posterior.successors[x, u, place] = y
        posterior.number[x, u] += 1
    posterior.counts[x, u, y] += 1.0
    posterior.totals[x, u] += 1.0
