"""Cart-pole along known trajectories."""

from support.driving import close, drive


def test_cart_pole_along_known_trajectories():
    steps, state, total, terminal = drive("cart_pole", lambda steps, state: 1, 1000)
    assert (steps, total, terminal) == (9, 9.0, True)
    close(state, 0.140645479307080, 1.76030256237094, -0.215177105919880, -2.77775168171770)
    steps, state, total, terminal = drive("cart_pole", lambda steps, state: steps % 2, 1000)
    assert (steps, total, terminal) == (33, 33.0, True)
    close(state[2:], 0.217331489072340)
