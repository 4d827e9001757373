"""Chain N: walk from one end of N positions to the other (Jordan et al. 2020, section 6 and Appendix F)."""

from numba import njit

from surefoot.simulation.environments.perturbations import SIZE, SLIP, draw_slip, never
from surefoot.simulation.trial_protocol import RESET, STEP, DiscreteEnvironment
from surefoot.streams import uniform

LEFT = 0
RIGHT = 1
STEPS_PER_POSITION = 20


@njit(RESET, cache=True)
def reset(parameters, stream):
    """Start every episode at position 0."""
    return 0


@njit(inline="always")
def _arrive(parameters, position, steps):
    """Return the new position, the reward (0 on the last step of an episode, otherwise -1), and the end of the episode.

    An episode ends at the goal or at the step limit.
    """
    length = int(parameters[SIZE])
    position = min(max(position, 0), length - 1)
    terminal = position == length - 1 or steps + 1 >= STEPS_PER_POSITION * length
    return position, 0.0 if terminal else -1.0, terminal


@njit(STEP, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Move one position to the left or right."""
    return _arrive(parameters, state + 2 * action - 1, steps)


@njit(STEP, cache=True, error_model="numpy")
def slippery_step(parameters, state, action, steps, stream):
    """Move, or slip: half of the slips stay, the other half go the wrong way."""
    move = 2 * action - 1
    chance = uniform(stream)
    slip = parameters[SLIP]
    move = (0 if chance < 0.5 * slip else -move) if chance < slip else move
    return _arrive(parameters, state + move, steps)


def environment(length: int, stochastic: bool) -> DiscreteEnvironment:
    """Return a chain of `length` positions; steps slip if `stochastic`."""
    return DiscreteEnvironment(
        states=length,
        actions=2,
        parameters=(float(length), 0.0),
        perturb=draw_slip if stochastic else never,
        reset=reset,
        step=slippery_step if stochastic else step,
    )
