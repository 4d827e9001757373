"""Intervals from published means and standard deviations, where there are no runs (Agarwal et al. 2021, Fig. 11)."""

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from surefoot.errors import HintedError


def mean_t_interval(
    means: npt.ArrayLike,
    standard_deviations: npt.ArrayLike,
    runs: int,
    confidence: float = 0.95,
    tasks_independent: bool = False,
) -> tuple[float, float, float]:
    """Student's t interval for the mean over tasks.

    Parameters
    ----------
    means, standard_deviations : float64[M], of each task's runs
    runs : number of runs of each task
    tasks_independent : False treats the mean of all tasks as if its standard deviation over runs were the root mean
        square of the tasks', as the paper does; True divides it by sqrt(M), as for runs that are independent from task
        to task

    Returns
    -------
    (mean, low, high)

    Raises
    ------
    ValueError : fewer than two runs; means and standard deviations that do not match
    """
    means, deviations = np.asarray(means, np.float64), np.asarray(standard_deviations, np.float64)
    if runs < 2:
        raise HintedError("t interval", f"{runs} runs", "a standard deviation needs at least 2")
    if means.shape != deviations.shape or means.ndim != 1 or means.size == 0:
        raise HintedError(
            "t interval", f"means {means.shape} and standard deviations {deviations.shape}", "one each a task"
        )
    spread = np.sqrt(np.mean(deviations**2) / runs / (means.size if tasks_independent else 1))
    half_width = stdtrit(runs - 1, (1.0 + confidence) / 2.0) * spread
    return means.mean(), means.mean() - half_width, means.mean() + half_width
