"""Distributions of hyperparameters that several definitions share (Jordan et al. 2020, Table 4).

LU is the log-uniform distribution.

A trial draws its hyperparameters only once, so these functions are compiled separately and called. The generators of
`streams`, which are used at every step of a trial, are inlined instead.
"""

import math

from numba import float64, int64, njit, uint64, void

from surefoot.streams import below, uniform


@njit(cache=True, error_model="numpy")
def unit_uniform(stream):
    """Draw a uniform number between 0 and 1."""
    return uniform(stream)


# Without the signature, the function would be compiled again for every pair of constants.
@njit(int64(uint64[::1], int64, int64), cache=True, error_model="numpy")
def uniform_integer(stream, first, last):
    """Draw a uniform integer from first..last."""
    return first + below(stream, last - first + 1)


@njit(cache=True, error_model="numpy")
def log_uniform(stream, low, high):
    """Draw a number between `low` and `high` (both positive) whose logarithm is uniform."""
    return math.exp(math.log(low) + (math.log(high) - math.log(low)) * unit_uniform(stream))


@njit(cache=True, error_model="numpy")
def discount(stream):
    """Draw gamma = 1 - LU(1e-4, 0.05)."""
    return 1.0 - log_uniform(stream, 1e-4, 0.05)


@njit(cache=True, error_model="numpy")
def tabular_step_size(stream):
    """Draw alpha ~ LU(1e-3, 0.1), for values and policies."""
    return log_uniform(stream, 1e-3, 0.1)


@njit(void(float64[::1], int64, uint64[::1]), cache=True, error_model="numpy")
def draw_orders(hyperparameters, place, stream):
    """Draw the orders of the Fourier basis.

    Store d, uniform on 0..9, at index `place`, and o, uniform on 1..9, at `place` + 1.
    """
    hyperparameters[place] = uniform_integer(stream, 0, 9)
    hyperparameters[place + 1] = uniform_integer(stream, 1, 9)


@njit(cache=True, error_model="numpy")
def linear_step_size(stream):
    """Draw alpha ~ LU(1e-6, 1e-3), independent of the number of features."""
    return log_uniform(stream, 1e-6, 1e-3)


@njit(cache=True, error_model="numpy")
def scaled_step_size(stream, features):
    """Draw alpha ~ LU(1e-3, 1) divided by the number of features."""
    return log_uniform(stream, 1e-3, 1.0) / features
