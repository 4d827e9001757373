"""Perturbations of environments from trial to trial, and the wrapping and clipping of their variables.

Jordan et al. 2020, Appendix F: with the slip probability c ~ U(0, 0.25), drawn once per trial, a step in a chain or a
gridworld does not follow the action.
"""

import math

from numba import njit

from surefoot.simulation.trial_protocol import PERTURB
from surefoot.streams import uniform


# Not inlined: a trial perturbs its environment only once, and inlined code would be compiled again at every call site.
@njit(cache=True, error_model="numpy")
def between(stream, low, high):
    """Draw a uniform number between `low` and `high`."""
    return low + (high - low) * uniform(stream)


@njit(inline="always")
def wrapped(angle):
    """Wrap an angle (radians) to [-pi, pi), as mod(angle + pi, 2 pi) - pi."""
    shifted = angle + math.pi
    if not 0.0 <= shifted < 2.0 * math.pi:
        shifted %= 2.0 * math.pi
    return shifted - math.pi


@njit(inline="always")
def clipped(value, limit):
    """Clip a value to [-limit, limit]."""
    return min(max(value, -limit), limit)


SIZE, SLIP = range(2)
"""Indices of the parameters of chains and gridworlds."""

LARGEST_SLIP = 0.25


@njit(PERTURB, cache=True)
def never(parameters, stream):
    """Leave the parameters unchanged, for the deterministic variant."""


@njit(PERTURB, cache=True)
def draw_slip(parameters, stream):
    """Draw a slip probability, for the stochastic variant."""
    parameters[SLIP] = LARGEST_SLIP * uniform(stream)
