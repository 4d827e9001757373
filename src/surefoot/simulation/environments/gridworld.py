"""Gridworld N: from one corner of an N x N grid to the opposite one (Jordan et al. 2020, section 6, Appendix F)."""

from numba import njit

from surefoot.simulation.environments.slips import SIZE, SLIP, draw_slip, never
from surefoot.simulation.interfaces import RESET, STEP, DiscreteEnvironment
from surefoot.streams import uniform

UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
STEPS_PER_CELL = 20


@njit(RESET, cache=True)
def reset(parameters, stream):
    """Every episode starts in the corner (0, 0)."""
    return 0


@njit(STEP, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Move one cell; reward -1, on the last step of an episode too. State y * size + x.

    Half of the slips stay, a quarter each take the next and the previous action by number: one is opposite
    and one perpendicular to the action meant, where the paper's text has the two perpendicular ones.
    """
    size = int(parameters[SIZE])
    slip = parameters[SLIP]
    moves = 1
    if slip > 0.0:
        chance = uniform(stream)
        moves = 0 if 1.0 - slip <= chance < 1.0 - 0.5 * slip else 1
        turn = 0 if chance < 1.0 - 0.5 * slip else (1 if chance < 1.0 - 0.25 * slip else 3)
        action = (action + turn) & 3
    direction = moves * (2 * (action & 1) - 1)
    y, x = state // size, state % size
    if action < LEFT:
        y = min(max(y + direction, 0), size - 1)
    else:
        x = min(max(x + direction, 0), size - 1)
    position = y * size + x
    terminal = position == size * size - 1 or steps + 1 >= STEPS_PER_CELL * size * size
    return position, -1.0, terminal


def environment(size: int, stochastic: bool) -> DiscreteEnvironment:
    """A grid of `size` x `size` cells, whose steps slip if it is `stochastic`."""
    return DiscreteEnvironment(
        states=size * size,
        actions=4,
        parameters=(float(size), 0.0),
        perturb=draw_slip if stochastic else never,
        reset=reset,
        step=step,
    )
