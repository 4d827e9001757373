"""Chains and gridworlds step by step against plain Python, their slips against exact frequencies."""

import numpy as np
import pytest
from scipy import stats
from support.plain_environments import chain_step, gridworld_step

from surefoot.simulation.environments import chain, gridworld
from surefoot.simulation.environments.perturbations import LARGEST_SLIP, SLIP
from surefoot.streams import start_stream, stream_key

SIZES = [(chain, chain_step, "length", 10), (gridworld, gridworld_step, "size", 5)]
SMALLEST_P = 1e-6
"""A correct program fails a test of frequencies with at most this probability."""


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


def test_the_slip_probability_is_uniform_and_new_in_each_trial():
    """Kolmogorov-Smirnov test at 1e-6; the deterministic variants keep it at zero."""
    for module, argument in ((chain, "length"), (gridworld, "size")):
        stochastic = module.environment(**{argument: 5}, stochastic=True)
        drawn = []
        for trial in range(5_000):
            parameters = np.array(stochastic.parameters)
            stochastic.perturb(parameters, new_stream(trial))
            drawn.append(parameters[SLIP])
        assert stats.kstest(drawn, stats.uniform(0, LARGEST_SLIP).cdf).pvalue > SMALLEST_P
        steady = module.environment(**{argument: 5}, stochastic=False)
        parameters = np.array(steady.parameters)
        steady.perturb(parameters, new_stream())
        assert tuple(parameters) == steady.parameters
        assert parameters[SLIP] == 0.0
