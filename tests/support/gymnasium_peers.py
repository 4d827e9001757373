"""Single steps of our environments and of gymnasium's."""

import numpy as np

STREAM = np.ones(4, np.uint64)
"""Stream of random numbers; steps draw none."""


def ours(environment, state, action, steps=0, parameters=None):
    """Return (state, reward, end of the episode) after one step from `state`."""
    after = np.array(state, dtype=float)
    parameters = environment.parameters if parameters is None else parameters
    return after, *environment.step(np.array(parameters), after, action, steps, STREAM)


def theirs(peer, state, action):
    """Like `ours`, for gymnasium. The state has double precision, unlike the observation that gymnasium returns."""
    peer.state = np.array(state, dtype=float)
    _, reward, terminated, truncated, _ = peer.step(action)
    assert not truncated  # A wrapper, not the environment, limits the number of steps.
    return np.array(peer.state), reward, terminated
