"""The error of what is counted in a simulation."""

from typing import Any

import numpy as np


def fraction_error(fraction: float, count: int) -> Any:
    """Standard error of a fraction of `count` independent events, of one number or an array.

    Two events of either kind are added (Agresti and Coull, The American Statistician 52, 1998), so that a fraction of 0
    or 1 is not taken to be exact.
    """
    middle = (np.asarray(fraction, np.float64) * count + 2.0) / (count + 4.0)
    return np.sqrt(middle * (1.0 - middle) / (count + 4.0))
