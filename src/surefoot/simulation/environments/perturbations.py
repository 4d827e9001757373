"""How environments change from trial to trial: parameters drawn uniformly, slips; and angles that wrap around.

Jordan et al. 2020, Appendix F: with the slip probability c ~ U(0, 0.25), drawn once a trial, a step in a chain or a
gridworld does not do what the action says.
"""

import math

from numba import njit

from surefoot.simulation.protocol import PERTURB
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


SIZE, SLIP = 0, 1
"""The layout of the parameters of chains and gridworlds."""

LARGEST_SLIP = 0.25


@njit(PERTURB, cache=True)
def never(parameters, stream):
    """The deterministic variant: the same in every trial."""


@njit(PERTURB, cache=True)
def draw_slip(parameters, stream):
    """The stochastic variant: another slip probability in each trial."""
    parameters[SLIP] = LARGEST_SLIP * uniform(stream)
