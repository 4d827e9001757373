"""Slips of chains and gridworlds are uniform and new in each trial."""

import numpy as np
from scipy import stats
from support.discrete_steps import new_stream

from surefoot.simulation.environments import chain, gridworld
from surefoot.simulation.environments.perturbations import LARGEST_SLIP, SLIP

SMALLEST_P = 1e-6
"""A correct program fails a test of frequencies with at most this probability."""


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
