"""Functionals of the decision times of a trajectory (the phi of Castronovo et al. 2016, section 2.3).

Each takes float64[trajectories, decisions] in seconds and returns float64[trajectories].
"""

from collections.abc import Callable

import numpy as np

FUNCTIONALS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda seconds: seconds.mean(axis=1),
    "median": lambda seconds: np.median(seconds, axis=1),
    "quantile_95": lambda seconds: np.quantile(seconds, 0.95, axis=1),
    "longest": lambda seconds: seconds.max(axis=1),
}
