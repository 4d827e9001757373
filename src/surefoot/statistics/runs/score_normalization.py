"""Scores on a common linear scale, environment by environment (Agarwal et al. 2021, section 3 and appendix A.1).

A normalized score is (score - zero)/(one - zero); a scale says what zero and one are.
"""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, listed
from surefoot.statistics.arrays import Floats
from surefoot.statistics.choices import check_choice
from surefoot.statistics.runs.score_pool import GREATEST

Ends = tuple[Floats, Floats]
"""The scores that become 0 and 1, float64[rows] each."""
_LISTED = 5
HIGHER = "every environment needs a score that counts as 0 and a higher one that counts as 1."


def normalize_scores(runs: pd.DataFrame, ends: Ends, hint: str = HIGHER) -> pd.DataFrame:
    """The runs with normalized scores.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score
    ends : for each row the scores that become 0 and 1
    hint : what helps where an environment has no scale

    Returns
    -------
    the rows of `runs` with their scores normalized, without the columns zero and one

    Raises
    ------
    ValueError : ends that are missing or have one <= zero; scores that become so large that statistics of them overflow
    """
    zero, one = ends
    bad = ~(np.isfinite(zero) & np.isfinite(one) & (one > zero))
    if bad.any():
        names = list(dict.fromkeys(runs.loc[bad, "environment"].astype(str)))
        first = int(np.flatnonzero(bad)[0])
        raise HintedError(
            "normalize",
            f"{listed(names, _LISTED)}: a scale from {zero[first]:g} to {one[first]:g}",
            hint,
        )
    with np.errstate(over="ignore", invalid="ignore"):
        width = one - zero
        score = (runs["score"].to_numpy(np.float64) - zero) / width
    overflown = ~(np.isfinite(width) & (np.abs(score) <= GREATEST))
    if overflown.any():
        first = runs[overflown].iloc[0]
        raise HintedError(
            "normalize",
            f"{first['algorithm']} / {first['environment']} / run {first['run']}: the score "
            f"{first['score']:g} overflows",
            "divide all scores by a power of ten, or leave out what is not a score",
        )
    return runs.drop(columns=["zero", "one"], errors="ignore").assign(score=score)


def as_they_are(runs: pd.DataFrame) -> Ends:
    """0 and 1 themselves."""
    return np.zeros(len(runs)), np.ones(len(runs))


def least_and_greatest(runs: pd.DataFrame) -> Ends:
    """The lowest and the highest score of each environment in the table."""
    scores = runs.groupby("environment")["score"]
    return scores.transform("min").to_numpy(np.float64), scores.transform("max").to_numpy(np.float64)


def known_ends(runs: pd.DataFrame) -> Ends:
    """Known scores, such as those of a random and of a human player, given with each run as columns zero and one.

    Raises
    ------
    ValueError : there are no such columns
    """
    missing = [column for column in ("zero", "one") if column not in runs]
    if missing:
        raise HintedError(
            "normalize",
            f"no column {' and '.join(missing)}",
            "reference_scores needs two known scores of each environment, or choose min_max",
        )
    return runs["zero"].to_numpy(np.float64), runs["one"].to_numpy(np.float64)


def nothing_and_mean_of(runs: pd.DataFrame, algorithm: str) -> Ends:
    """0 and the mean score of an algorithm in each environment.

    Raises
    ------
    ValueError : the algorithm has no runs
    """
    check_choice("normalize", str(algorithm), list(dict.fromkeys(runs["algorithm"].astype(str))))
    mean = runs[runs["algorithm"] == algorithm].groupby("environment")["score"].mean()
    return np.zeros(len(runs)), runs["environment"].map(mean).to_numpy(np.float64)
