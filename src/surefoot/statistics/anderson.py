"""Anderson's (1969) interval for the mean of scores in a known range (Jordan et al. 2020, appendix I)."""

import numpy as np

from surefoot.statistics.bands import band_half_width


def mean_limits(sample: np.ndarray, smallest: float, greatest: float, delta: float) -> tuple[float, float]:
    """Limits that hold the mean of any distribution on [smallest, greatest] with probability at least 1 - delta.

    Parameters
    ----------
    sample : float64[N], independent scores, ascending
    smallest, greatest : the range of the scores. Nothing can bound the mean of a distribution without one (Bahadur
        and Savage
        1956), so where the range is that of the data, the guarantee holds only if no score could lie outside.
    delta : the probability of missing the mean, 0 < delta < 1

    Raises
    ------
    ValueError : a score lies outside the range
    """
    if sample[0] < smallest or sample[-1] > greatest:
        raise ValueError(
            f"anderson: scores from {sample[0]:g} to {sample[-1]:g} leave the range {smallest:g} to {greatest:g}. "
            "Hint: give the range that scores cannot leave."
        )
    size = sample.size
    half_width = band_half_width(size, delta)
    share = np.arange(size) / size
    below = np.diff(sample, prepend=smallest)
    above = np.diff(sample, append=greatest)
    low = sample[-1] - below @ np.minimum(1.0, share + half_width)
    high = greatest - above @ np.maximum(0.0, share + 1.0 / size - half_width)
    return float(low), float(high)
