"""Chains and gridworlds step by step against plain Python, their slips against exact frequencies."""

import numpy as np
import pytest
from support.plain_environments import chain_step, gridworld_step

from surefoot.simulation.environments import chain, gridworld
from surefoot.simulation.environments.perturbations import SLIP
from surefoot.streams import start_stream, stream_key

SIZES = [(chain, chain_step, "length", 10), (gridworld, gridworld_step, "size", 5)]


def new_stream(number=0):
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(1, "environments"), number, stream)
    return stream


@pytest.mark.parametrize(("module", "plain", "argument", "size"), SIZES)
@pytest.mark.parametrize("slip", [None, 0.0, 0.1, 0.25])
def test_every_state_and_action_as_in_plain_python(module, plain, argument, size, slip):
    environment = module.environment(**{argument: size}, stochastic=slip is not None)
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
                    assert got == plain(size, slip, state, action, steps, theirs)
    assert (ours == theirs).all()  # and no random number more or less than the definition needs
