"""Mountain car: swing out of a valley (Jordan et al. 2020, section 6 and Appendix F)."""

import math

from numba import njit

from surefoot.simulation.environments.perturbations import between, clipped
from surefoot.simulation.trial_protocol import PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, ContinuousEnvironment

FORCE = 0
"""Index of the only parameter."""

POSITION, VELOCITY = range(2)
"""Indices of the state."""

BACKWARD, NOTHING, FORWARD = range(3)

GRAVITY = 0.0025
HILLS = 3.0
LEFT_WALL = -1.2
GOAL = 0.5
LARGEST_VELOCITY = 0.07
STEP_LIMIT = 5000


@njit(PERTURB, cache=True)
def perturb(parameters, stream):
    """Draw the engine's force ~ U(0.0008, 0.0012)."""
    parameters[FORCE] = between(stream, 0.0008, 0.0012)


@njit(RESET_CONTINUOUS, cache=True)
def reset(parameters, state, stream):
    """Start every episode at rest at -0.5. The paper's configuration requests a random start, without effect."""
    state[POSITION] = -0.5
    state[VELOCITY] = 0.0


@njit(STEP_CONTINUOUS, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Take a step with reward -1, including the last one of an episode. Only the left wall stops the car."""
    position = state[POSITION]
    acceleration = parameters[FORCE] * (action - 1) - GRAVITY * math.cos(HILLS * position)
    velocity = clipped(state[VELOCITY] + acceleration, LARGEST_VELOCITY)
    position += velocity
    if position < LEFT_WALL:
        position = LEFT_WALL
        velocity = 0.0
    state[POSITION] = position
    state[VELOCITY] = velocity
    return -1.0, position >= GOAL or steps + 1 >= STEP_LIMIT


def environment() -> ContinuousEnvironment:
    """Return the environment before perturbation, with the force in the middle of its range."""
    return ContinuousEnvironment(
        actions=3,
        low=(LEFT_WALL, -LARGEST_VELOCITY),
        high=(GOAL, LARGEST_VELOCITY),
        parameters=(0.001,),
        perturb=perturb,
        reset=reset,
        step=step,
    )
