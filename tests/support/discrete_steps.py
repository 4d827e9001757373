"""Steps of discrete environments against plain Python."""

import numpy as np

from surefoot.simulation.environments.perturbations import SLIP
from surefoot.streams import start_stream, stream_key


def new_stream(number=0):
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(1, "environments"), number, stream)
    return stream


def check_every_state_and_action(module, plain, slip, **size):
    """Check every step of an environment, given the function of a step in plain Python.

    Parameters
    ----------
    slip : slip probability, or None for the deterministic variant
    size : the argument of `module.environment`
    """
    environment = module.environment(**size, stochastic=slip is not None)
    (places,) = size.values()
    parameters = np.array(environment.parameters)
    if slip is not None:
        parameters[SLIP] = slip
    ours, theirs = new_stream(), new_stream()
    assert environment.reset(parameters, ours) == 0
    limit = 20 * environment.states
    for steps in (0, 7, limit - 2, limit - 1):
        for state in range(environment.states):
            for action in range(environment.actions):
                for _ in range(1 if slip is None else 60):
                    got = environment.step(parameters, state, action, steps, ours)
                    assert got == plain(places, slip, state, action, steps, theirs)
    assert (ours == theirs).all()  # and no random number more or less than the definition needs
