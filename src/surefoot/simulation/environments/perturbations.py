"""What continuous environments share: parameters drawn uniformly once a trial, angles that wrap around."""

import math

from numba import njit

from surefoot.streams import uniform


# Not inlined: a trial perturbs its environment only once, and inlined code would be compiled at every call.
@njit(cache=True, error_model="numpy")
def between(stream, low, high):
    """A uniform number between `low` and `high`."""
    return low + (high - low) * uniform(stream)


@njit(inline="always")
def wrapped(angle):
    """The angle (radians) moved into [-pi, pi) by full turns, as mod(angle + pi, 2 pi) - pi."""
    shifted = angle + math.pi
    if not 0.0 <= shifted < 2.0 * math.pi:
        shifted %= 2.0 * math.pi
    return shifted - math.pi


@njit(inline="always")
def clipped(value, limit):
    """The value moved into [-limit, limit]."""
    return min(max(value, -limit), limit)
