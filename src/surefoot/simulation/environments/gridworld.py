"""Gridworld N: walk from one corner of an N x N grid to the other (Jordan et al. 2020, section 6, Appendix F)."""

from numba import njit

from surefoot.simulation.environments.perturbations import SIZE, SLIP, draw_slip, never
from surefoot.simulation.trial_protocol import RESET, STEP, DiscreteEnvironment
from surefoot.streams import uniform

UP, DOWN, LEFT, RIGHT = range(4)
STEPS_PER_CELL = 20


@njit(RESET, cache=True)
def reset(parameters, stream):
    """Start every episode in the corner (0, 0)."""
    return 0


@njit(inline="always")
def _move(parameters, state, action, distance, steps):
    """Return the new state, the reward (-1, also on the last step), and the end of the episode.

    State (x, y) has the number y * size + x.
    """
    size = int(parameters[SIZE])
    y = state // size
    x = state - y * size
    direction = distance * (2 * (action & 1) - 1)
    vertical = action < LEFT
    y = min(max(y + (direction if vertical else 0), 0), size - 1)
    x = min(max(x + (0 if vertical else direction), 0), size - 1)
    position = y * size + x
    cells = size * size
    terminal = position == cells - 1 or steps + 1 >= STEPS_PER_CELL * cells
    return position, -1.0, terminal


@njit(STEP, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Move one cell in the direction of the action."""
    return _move(parameters, state, action, 1, steps)


@njit(STEP, cache=True, error_model="numpy")
def slippery_step(parameters, state, action, steps, stream):
    """Move, or slip: half of the slips stay, and a quarter each take the next or the previous action by number.

    Of these two actions, one is opposite and one perpendicular to the chosen one; in the paper both are perpendicular.
    """
    chance = uniform(stream)
    slip = parameters[SLIP]
    distance = 0 if 1.0 - slip <= chance < 1.0 - 0.5 * slip else 1
    turn = 0 if chance < 1.0 - 0.5 * slip else (1 if chance < 1.0 - 0.25 * slip else 3)
    return _move(parameters, state, (action + turn) & 3, distance, steps)


def environment(size: int, stochastic: bool) -> DiscreteEnvironment:
    """Return a grid of `size` x `size` cells; steps slip if `stochastic`."""
    return DiscreteEnvironment(
        states=size * size,
        actions=4,
        parameters=(float(size), 0.0),
        perturb=draw_slip if stochastic else never,
        reset=reset,
        step=slippery_step if stochastic else step,
    )
