"""Steps that slip: the one parameter of chains and gridworlds that changes from trial to trial.

Jordan et al. 2020, Appendix F: with the slip probability c ~ U(0, 0.25), drawn once a trial, a step does not do
as it is told.
"""

from numba import njit

from surefoot.simulation.interfaces import PERTURB
from surefoot.streams import uniform

SIZE, SLIP = 0, 1
"""The layout of the parameters of chains and gridworlds."""

LARGEST_SLIP = 0.25


@njit(PERTURB, cache=True)
def never(parameters, stream):
    """The deterministic variant: the same in every trial."""


@njit(PERTURB, cache=True)
def draw_slip(parameters, stream):
    """The stochastic variant: another slip probability in each trial."""
    parameters[SLIP] = LARGEST_SLIP * uniform(stream)
