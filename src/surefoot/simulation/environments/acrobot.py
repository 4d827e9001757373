"""Acrobot: swing a chain of two links up by a torque at its middle (Jordan et al. 2020, section 6, Appendix F)."""

import math

from numba import njit

from surefoot.simulation.environments.perturbations import between, clipped, wrapped
from surefoot.simulation.trial_protocol import PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, ContinuousEnvironment

FIRST_MASS, FIRST_LENGTH, SECOND_MASS, SECOND_LENGTH, GRAVITY = range(5)
"""Indices of the parameters."""

INERTIA = 1.0
"""Moment of inertia of each link about its centre of mass; it does not change with masses and lengths."""

SUBSTEPS = 10
SECONDS_PER_SUBSTEP = 0.02
LARGEST_FIRST_VELOCITY = 4.0 * math.pi
LARGEST_SECOND_VELOCITY = 9.0 * math.pi
STEP_LIMIT = 2001
"""Largest number of steps, 2,001 instead of 2,000: adding 0.2 seconds 2,000 times gives just less than 400 seconds."""

LARGEST_SERIES_ANGLE = 0.5


@njit(PERTURB, cache=True)
def perturb(parameters, stream):
    """Draw masses, lengths and gravity, each uniformly."""
    for parameter in range(GRAVITY):
        parameters[parameter] = between(stream, 0.8, 1.2)
    parameters[GRAVITY] = between(stream, 8.0, 10.0)


@njit(RESET_CONTINUOUS, cache=True)
def reset(parameters, state, stream):
    """Start every episode at rest, hanging down. The paper's configuration requests a random start, without effect."""
    state[:] = 0.0


@njit(inline="always")
def _accelerations(coefficients, sine_1, cosine_1, sine_2, cosine_2, velocity_1, velocity_2, torque):
    """Return the angular accelerations of both joints.

    The equations of motion are

        [d1 d2] [w1']   [-phi1]
        [d2 c ] [w2'] = [torque - coupling w1^2 sin th2 - phi2]

    They are solved with a single division. cos(x - pi/2) is replaced by sin x, and the sine of the sum of the angles is
    computed from the sines and cosines of each.
    """
    inertia, coupling, second_inertia, first_weight, second_weight = coefficients
    d1 = inertia + 2.0 * coupling * cosine_2
    d2 = second_inertia + coupling * cosine_2
    phi2 = second_weight * (sine_1 * cosine_2 + cosine_1 * sine_2)
    centrifugal = coupling * sine_2
    phi1 = first_weight * sine_1 + phi2 - centrifugal * velocity_2 * (velocity_2 + 2.0 * velocity_1)
    second = torque - centrifugal * velocity_1**2 - phi2
    scale = 1.0 / (d1 * second_inertia - d2**2)
    return -(second_inertia * phi1 + d2 * second) * scale, (d1 * second + d2 * phi1) * scale


@njit(inline="always")
def _turned(sine, cosine, angle):
    """Return (sine, cosine) of the sum of `angle` and another angle, which is given by its sine and cosine.

    For small angles, a series is much faster than the library.
    """
    if abs(angle) <= LARGEST_SERIES_ANGLE:
        square = angle * angle
        fourth = square * square
        # Taylor series up to angle^13 and angle^14, with remainders below 2^-54, paired so that the terms can be
        # computed in parallel.
        low = 1.0 - square / 6.0 + fourth * (1.0 / 120.0 - square / 5040.0)
        high = 1.0 / 362880.0 - square / 39916800.0 + fourth / 6227020800.0
        turn_sine = angle * (low + fourth * fourth * high)
        low = -0.5 + square / 24.0 + fourth * (-1.0 / 720.0 + square / 40320.0)
        high = -1.0 / 3628800.0 + square / 479001600.0 - fourth / 87178291200.0
        turn_cosine = 1.0 + square * (low + fourth * fourth * high)
    else:
        turn_sine = math.sin(angle)
        turn_cosine = math.cos(angle)
    return sine * turn_cosine + cosine * turn_sine, cosine * turn_cosine - sine * turn_sine


@njit(inline="always")
def _substep(coefficients, moment, torque):
    """Take a step of the Runge-Kutta method.

    moment : both angles, both angular velocities, and sine and cosine of each angle, as a tuple of eight numbers
    """
    th1, th2, w1, w2, sine_1, cosine_1, sine_2, cosine_2 = moment
    half = 0.5 * SECONDS_PER_SUBSTEP
    sixth = SECONDS_PER_SUBSTEP / 6.0
    a1, a2 = _accelerations(coefficients, sine_1, cosine_1, sine_2, cosine_2, w1, w2, torque)
    v1 = w1
    v2 = w2
    sum_v1 = v1
    sum_v2 = v2
    sum_a1 = a1
    sum_a2 = a2
    for stage in range(3):
        s1, c1 = _turned(sine_1, cosine_1, half * v1)
        s2, c2 = _turned(sine_2, cosine_2, half * v2)
        v1 = w1 + half * a1
        v2 = w2 + half * a2
        a1, a2 = _accelerations(coefficients, s1, c1, s2, c2, v1, v2, torque)
        weight = 2.0 if stage < 2 else 1.0
        sum_v1 += weight * v1
        sum_v2 += weight * v2
        sum_a1 += weight * a1
        sum_a2 += weight * a2
    s1, c1 = _turned(sine_1, cosine_1, sixth * sum_v1)
    s2, c2 = _turned(sine_2, cosine_2, sixth * sum_v2)
    th1 = th1 + sixth * sum_v1
    th2 = th2 + sixth * sum_v2
    w1 = w1 + sixth * sum_a1
    w2 = w2 + sixth * sum_a2
    return th1, th2, w1, w2, s1, c1, s2, c2


@njit(STEP_CONTINUOUS, cache=True, error_model="numpy", fastmath={"contract", "arcp"})
def step(parameters, state, action, steps, stream):
    """Take ten steps of a Runge-Kutta method whose fourth stage uses half a step instead of a whole one.

    Angles are wrapped and velocities clipped only after all ten. The reward is 0 on the last step of an episode (the
    tip is higher than the length of the first link, or the step limit is reached), otherwise -0.1.
    """
    first_mass = parameters[FIRST_MASS]
    first_length = parameters[FIRST_LENGTH]
    second_mass = parameters[SECOND_MASS]
    gravity = parameters[GRAVITY]
    first_centre = 0.5 * first_length
    second_centre = 0.5 * parameters[SECOND_LENGTH]
    second_inertia = second_mass * second_centre**2 + INERTIA
    # The constant part of d1; m2 l1 lc2; m2 lc2^2 + I2; (m1 lc1 + m2 l1) g; m2 lc2 g.
    coefficients = (
        first_mass * first_centre**2 + second_mass * first_length**2 + second_inertia + INERTIA,
        second_mass * first_length * second_centre,
        second_inertia,
        (first_mass * first_centre + second_mass * first_length) * gravity,
        second_mass * second_centre * gravity,
    )
    torque = action - 1.0
    th1 = state[0]
    th2 = state[1]
    moment = (th1, th2, state[2], state[3], math.sin(th1), math.cos(th1), math.sin(th2), math.cos(th2))
    for _ in range(SUBSTEPS):
        moment = _substep(coefficients, moment, torque)
    th1 = wrapped(moment[0])
    th2 = wrapped(moment[1])
    state[0] = th1
    state[1] = th2
    state[2] = clipped(moment[2], LARGEST_FIRST_VELOCITY)
    state[3] = clipped(moment[3], LARGEST_SECOND_VELOCITY)
    height = -first_length * math.cos(th1) - parameters[SECOND_LENGTH] * math.cos(th1 + th2)
    terminal = height > first_length or steps + 1 >= STEP_LIMIT
    return 0.0 if terminal else -0.1, terminal


def environment() -> ContinuousEnvironment:
    """Return the environment with links of one metre and one kilogram, before perturbation."""
    limits = (math.pi, math.pi, LARGEST_FIRST_VELOCITY, LARGEST_SECOND_VELOCITY)
    return ContinuousEnvironment(
        actions=3,
        low=tuple(-limit for limit in limits),
        high=limits,
        parameters=(1.0, 1.0, 1.0, 1.0, 9.8),
        perturb=perturb,
        reset=reset,
        step=step,
    )
