"""Distributions of hyperparameters that several definitions share (Jordan et al. 2020, Table 4)."""

import math

from numba import njit

from surefoot.streams import below, uniform


@njit(inline="always")
def log_uniform(stream, low, high):
    """A number between `low` and `high` (both positive) whose logarithm is uniform."""
    return math.exp(math.log(low) + (math.log(high) - math.log(low)) * uniform(stream))


@njit(inline="always")
def discount(stream):
    """gamma = 1 - LU(1e-4, 0.05)."""
    return 1.0 - log_uniform(stream, 1e-4, 0.05)


@njit(inline="always")
def tabular_step_size(stream):
    """alpha ~ LU(1e-3, 0.1), of values and policies alike."""
    return log_uniform(stream, 1e-3, 0.1)


@njit(inline="always")
def dependent_order(stream):
    """d of the Fourier basis, uniform on 0..9."""
    return below(stream, 10)


@njit(inline="always")
def independent_order(stream):
    """o of the Fourier basis, uniform on 1..9."""
    return 1 + below(stream, 9)


@njit(inline="always")
def linear_step_size(stream):
    """alpha ~ LU(1e-6, 1e-3), whatever the number of features."""
    return log_uniform(stream, 1e-6, 1e-3)


@njit(inline="always")
def scaled_step_size(stream, features):
    """alpha ~ LU(1e-3, 1) divided by a number of features."""
    return log_uniform(stream, 1e-3, 1.0) / features
