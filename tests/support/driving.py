"""Drive the continuous environments by a policy; each stands beside its steps in plain Python."""

from functools import partial

import numpy as np
from support import plain_environments as plain

from surefoot.simulation.environments import acrobot, cart_pole, mountain_car, pinball
from surefoot.simulation.environments.pinball import MAPS
from surefoot.streams import start_stream, stream_key

MAPS_TESTED = ("empty", "box", "medium", "single")
ENVIRONMENTS = {
    "mountain_car": (mountain_car.environment(), plain.mountain_car_step),
    "cart_pole": (cart_pole.environment(), plain.cart_pole_step),
    "acrobot": (acrobot.environment(), plain.acrobot_step),
    **{
        f"pinball_{name}": (pinball.environment(name), partial(plain.pinball_step, [list(p) for p in MAPS[name]]))
        for name in MAPS_TESTED
    },
}


def new_stream(number=0):
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(1, "continuous environments"), number, stream)
    return stream


def started(environment):
    """(parameters before they are perturbed, the state in which an episode starts)."""
    parameters, state = np.array(environment.parameters), np.full(len(environment.low), np.nan)
    environment.reset(parameters, state, new_stream())
    return parameters, state


def drive(name, policy, most_steps):
    """(steps, final state, return, whether the episode ended) of policy(number of the step, state)."""
    environment, _ = ENVIRONMENTS[name]
    parameters, state = started(environment)
    total = 0.0
    for steps in range(most_steps):
        reward, terminal = environment.step(parameters, state, policy(steps, state), steps, new_stream())
        total += reward
        if terminal:
            break
    return steps + 1, state, total, terminal


def close(state, *expected):
    """To the digits given, which are at least ten."""
    np.testing.assert_allclose(state[: len(expected)], expected, rtol=0, atol=2e-13)
