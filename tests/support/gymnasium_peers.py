"""Single steps of our environments, and of those of gymnasium."""

import numpy as np

STREAM = np.ones(4, np.uint64)
"""Neither environment draws a number on its way."""


def ours(environment, state, action, steps=0, parameters=None):
    """(state, reward, whether the episode ends) after one step from `state`."""
    after = np.array(state, dtype=float)
    parameters = environment.parameters if parameters is None else parameters
    return after, *environment.step(np.array(parameters), after, action, steps, STREAM)


def theirs(peer, state, action):
    """The same of gymnasium, in double precision: what it returns is rounded to single."""
    peer.state = np.array(state, dtype=float)
    _, reward, terminated, truncated, _ = peer.step(action)
    assert not truncated  # The limit of 200 or 500 steps is a wrapper's, not the environment's.
    return np.array(peer.state), reward, terminated
