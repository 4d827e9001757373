"""e-Greedy: any action with probability epsilon, else the best one under the mean MDP (Castronovo et al. 2016, 4.2)."""

import numpy as np

from surefoot.bayesian.agents.mean_q import GREEDY, parameters, play
from surefoot.bayesian.interfaces import Problem

__all__ = ["play", "prepare"]


def prepare(problem: Problem, key: np.ndarray, epsilon: float) -> np.ndarray:
    """Nothing is learnt offline."""
    return parameters(GREEDY, epsilon)
