"""What claims are asked of, and what an answer is."""

from typing import NamedTuple

import pandas as pd

CLAIM = "claim"
"""The quantity of items that are claims."""


class Evidence(NamedTuple):
    """Rows that claims are asked of; without rows where a run or record does not have them.

    printed : published values by item
    scores : aggregate scores with value, low, high and runs by (method, algorithm), the narrowest method last
    means : value, error (standard error), low, high and runs by (environment, algorithm)
    bands : distributions, columns environment, algorithm, probability, score, low, high
    coverage : rates by (method, size)
    stored : ours and trials of claims by item, for those of distributions that a record does not keep
    """

    printed: pd.Series
    scores: pd.DataFrame
    means: pd.DataFrame
    bands: pd.DataFrame
    coverage: pd.DataFrame
    stored: pd.DataFrame


class Answer(NamedTuple):
    """Whether a claim holds by point values, and whether the runs decide it.

    detectable : the smallest effect that they would have decided, in the units of the claim
    matters : the effect that the paper prints, or that the claim speaks of
    """

    holds: bool
    decided: bool
    detectable: float
    matters: float
