"""Cart-pole: balance a pole on a cart, with friction (Jordan et al. 2020, section 6 and Appendix F)."""

import math

from numba import njit

from surefoot.simulation.environments.perturbations import between, wrapped
from surefoot.simulation.trial_protocol import PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, ContinuousEnvironment

POLE_MASS, POLE_LENGTH, CART_MASS, GRAVITY = range(4)
"""Indices of the parameters. The pole's length is measured from the hinge to its middle."""

POSITION, VELOCITY, ANGLE, ANGULAR_VELOCITY = range(4)
"""Indices of the state."""

LEFT = 0
RIGHT = 1

FORCE = 10.0
CART_FRICTION = 5e-4
POLE_FRICTION = 2e-6
SECONDS_PER_STEP = 0.02
LARGEST_ANGLE = math.pi / 15
LARGEST_POSITION = 2.4
STEP_LIMIT = 1000


@njit(PERTURB, cache=True)
def perturb(parameters, stream):
    """Draw masses, length and gravity, each uniformly."""
    parameters[POLE_MASS] = between(stream, 0.025, 0.25)
    parameters[POLE_LENGTH] = between(stream, 0.1, 1.0)
    parameters[CART_MASS] = between(stream, 0.1, 5.0)
    parameters[GRAVITY] = between(stream, 8.0, 10.0)


@njit(RESET_CONTINUOUS, cache=True)
def reset(parameters, state, stream):
    """Start every episode upright and at rest, in the middle of the track."""
    state[:] = 0.0


@njit(STEP_CONTINUOUS, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Take one explicit Euler step with the old velocities. The reward is 1 on every step, also on the last."""
    velocity = state[VELOCITY]
    angle = state[ANGLE]
    angular_velocity = state[ANGULAR_VELOCITY]
    mass = parameters[POLE_MASS]
    length = parameters[POLE_LENGTH]
    force = FORCE * (2 * action - 1)
    moment = mass * length
    total_mass = mass + parameters[CART_MASS]
    sine = math.sin(angle)
    cosine = math.cos(angle)
    friction = CART_FRICTION * ((velocity > 0.0) - (velocity < 0.0))
    centrifugal = moment * angular_velocity**2 * sine
    push = cosine * (friction - force - centrifugal) / total_mass
    hinge = POLE_FRICTION * angular_velocity / moment
    inertia = length * (4.0 / 3.0 - mass * cosine**2 / total_mass)
    of_pole = (parameters[GRAVITY] * sine + push - hinge) / inertia
    of_cart = (force + centrifugal - moment * of_pole * cosine - friction) / total_mass
    position = state[POSITION] + SECONDS_PER_STEP * velocity
    angle = wrapped(angle + SECONDS_PER_STEP * angular_velocity)
    state[POSITION] = position
    state[VELOCITY] = velocity + SECONDS_PER_STEP * of_cart
    state[ANGLE] = angle
    state[ANGULAR_VELOCITY] = angular_velocity + SECONDS_PER_STEP * of_pole
    fallen = abs(angle) > LARGEST_ANGLE or abs(position) >= LARGEST_POSITION
    return 1.0, fallen or steps + 1 >= STEP_LIMIT


def environment() -> ContinuousEnvironment:
    """Return the environment with the standard cart and pole, before perturbation.

    Features are scaled with a range of 15 degrees, although an episode ends at 12, and with ranges of velocities that
    may be exceeded.
    """
    return ContinuousEnvironment(
        actions=2,
        low=(-2.4, -10.0, -math.pi / 12, -math.pi),
        high=(2.4, 10.0, math.pi / 12, math.pi),
        parameters=(0.1, 0.5, 1.0, 9.8),
        perturb=perturb,
        reset=reset,
        step=step,
    )
