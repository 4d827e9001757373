"""Soft-Max: actions with probability proportional to exp(Q / tau) (Castronovo et al. 2016, section 4.3).

The program that made the published scores forgot to normalise, so that the agent always plays the first action:
variant `as_published`.
"""

import numpy as np

from surefoot.bayesian.agents.mean_q import SOFT_MAX, UNNORMALISED, parameters, play
from surefoot.bayesian.interfaces import Problem

__all__ = ["play", "prepare"]


def prepare(problem: Problem, key: np.ndarray, variant: str, tau: float) -> np.ndarray:
    """Nothing is learnt offline."""
    return parameters(SOFT_MAX if variant == "corrected" else UNNORMALISED, tau)
