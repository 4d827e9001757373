"""Laws of scores whose payoffs are known in closed form, to count how often intervals miss them.

A law is a mixture of components, each a list [kind, weight, ...]:

["normal", weight, mean, standard deviation]
["exponential", weight, rate]: skewed to the right, from 0 on
["atom", weight, score]: always the same score

Only the order of scores decides a payoff. A mixture may hold normal components and atoms, or exponential ones and atoms
below 0.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtri

from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.samples import Samples, assemble
from surefoot.streams import stream_key, uniforms

Law = list[list[Any]]


def true_payoffs(laws: list[list[Law]]) -> Floats:
    """P(Y <= X), float64[n, m, n], for X from laws[i][j] and Y from laws[k][j]; 0.5 for an algorithm against itself."""
    n, m = len(laws), len(laws[0])
    z = np.full((n, m, n), 0.5)
    for i in range(n):
        for j in range(m):
            for k in range(n):
                if k != i:
                    parts = [(x, y) for x in laws[i][j] for y in laws[k][j]]
                    z[i, j, k] = sum(x[1] * y[1] * _at_most(y, x) for x, y in parts)
    return z


def _at_most(y: Sequence[Any], x: Sequence[Any]) -> float:
    """P(Y <= X) for two components."""
    kinds = (y[0], x[0])
    if kinds == ("atom", "atom"):
        return float(y[2] <= x[2])
    if "exponential" in kinds:
        if kinds == ("exponential", "exponential"):
            return y[2] / (y[2] + x[2])
        return float(kinds[0] == "atom")  # which lies below 0
    mean = [component[2] for component in (y, x)]
    spread = np.hypot(y[3] if y[0] == "normal" else 0.0, x[3] if x[0] == "normal" else 0.0)
    return float(np.exp(log_ndtr((mean[1] - mean[0]) / spread)))


def draw_samples(laws: list[list[Law]], sizes: list[list[int]], seed: int, name: str, number: int) -> Samples:
    """Data set number `number`: sizes[i][j] scores of laws[i][j].

    A sample's stream is keyed by the seed, the name of the case and its place; its number is that of the data set.
    """
    n, m = len(laws), len(laws[0])
    pairs = [[_draw(laws[i][j], sizes[i][j], stream_key(seed, "trust", name, i, j), number) for j in range(m)]
             for i in range(n)]  # fmt: skip
    names = [f"algorithm {i}" for i in range(n)], [f"environment {j}" for j in range(m)]
    return assemble(*names, pairs, np.arange(n * m).reshape(n, m))


def _draw(law: Any, size: int, key: npt.NDArray[np.uint64], number: int) -> Floats:
    """float64[size]; one uniform number chooses the component, another one is its quantile."""
    drawn = uniforms(key, number, 2 * size).reshape(2, size)
    which = np.minimum(np.searchsorted(np.cumsum([c[1] for c in law]), drawn[0], side="right"), len(law) - 1)
    scores = np.empty(size)
    for place, (kind, _, *parameters) in enumerate(law):
        own = which == place
        if kind == "atom":
            scores[own] = parameters[0]
        elif kind == "exponential":
            scores[own] = -np.log1p(-drawn[1, own]) / parameters[0]
        else:
            scores[own] = parameters[0] + parameters[1] * ndtri(drawn[1, own] + 2.0**-54)
    return scores
