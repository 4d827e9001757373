"""Random variates beyond the uniform: gamma and Dirichlet.

Gamma by Marsaglia and Tsang, "A simple method for generating gamma variables" (ACM TOMS 26(3), 2000); a Dirichlet
vector is a vector of gamma variates divided by their sum (Devroye, "Non-Uniform Random Variate Generation", chapter
XI.4).
"""

import math

from numba import njit

from surefoot.streams import uniform


@njit(cache=True)
def standard_normal(stream):
    """A standard normal variate, by the polar method; the second one of the pair is not kept."""
    while True:
        first = 2.0 * uniform(stream) - 1.0
        square = first * first + (2.0 * uniform(stream) - 1.0) ** 2
        if 0.0 < square < 1.0:
            return first * math.sqrt(-2.0 * math.log(square) / square)


@njit(cache=True)
def standard_gamma(shape, stream):
    """A gamma variate of this shape (positive) and scale 1."""
    if shape == 1.0:
        return -math.log(1.0 - uniform(stream))
    if shape < 1.0:
        return standard_gamma_from_one(shape + 1.0, stream) * (1.0 - uniform(stream)) ** (1.0 / shape)
    return standard_gamma_from_one(shape, stream)


@njit(cache=True)
def standard_gamma_from_one(shape, stream):
    """A gamma variate of a shape of at least 1."""
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
    """Fill `probabilities` with a draw of the Dirichlet distribution of `counts` (both float64[states]).

    A count of 0 gives exactly 0. At least one count must be positive.
    """
    total = 0.0
    # All variates can be 0 where all counts are tiny: one draw in so many that only a loop is right.
    while total == 0.0:
        for y in range(len(counts)):
            probabilities[y] = standard_gamma(counts[y], stream) if counts[y] > 0.0 else 0.0
            total += probabilities[y]
    for y in range(len(counts)):
        probabilities[y] /= total
