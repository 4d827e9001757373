"""Scores on a common linear scale, environment by environment (Agarwal et al. 2021, section 3 and appendix A.1).

A normalized score is (score - zero)/(one - zero). What zero and one are is the method:

none : the scores as they are
reference_scores : known scores, such as those of a random and of a human player, given with each run
min_max : the least and the greatest score of the environment in the table
ratio : 0 and the mean score of a reference algorithm
"""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.choices import check_choice
from surefoot.statistics.score_pool import GREATEST

SCORE_NORMALIZATIONS = ("none", "reference_scores", "min_max", "ratio")
_LISTED = 5


def normalize_scores(runs: pd.DataFrame, method: str, reference: str | None = None) -> pd.DataFrame:
    """The runs with normalized scores.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score; for reference_scores also zero and one
    method : one of SCORE_NORMALIZATIONS
    reference : for ratio, the algorithm whose mean score is 1

    Returns
    -------
    the rows of `runs` with their scores normalized, without the columns zero and one

    Raises
    ------
    ValueError : an unknown method or reference; references that are missing or have one <= zero; scores that become so
        large that statistics of them overflow
    """
    check_choice("normalize", method, SCORE_NORMALIZATIONS)
    zero, one = _ends(runs, method, reference)
    bad = ~(np.isfinite(zero) & np.isfinite(one) & (one > zero))
    if bad.any():
        names = list(dict.fromkeys(runs.loc[bad, "environment"].astype(str)))
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        first = int(np.flatnonzero(bad)[0])
        hint = "every environment needs a score that counts as 0 and a higher one that counts as 1."
        if method == "min_max":
            hint = "all scores there are equal; leave it out, or choose another scale."
        raise HintedError(
            "normalize",
            f"{', '.join(names[:_LISTED])}{more}: a scale from {zero[first]:g} to {one[first]:g}",
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
            "divide all scores by a power of ten, or leave out what is no score",
        )
    return runs.drop(columns=["zero", "one"], errors="ignore").assign(score=score)


def _ends(runs, method, reference):
    """float64[rows] each: the scores that become 0 and 1."""
    if method == "none":
        return np.zeros(len(runs)), np.ones(len(runs))
    if method == "reference_scores":
        missing = [column for column in ("zero", "one") if column not in runs]
        if missing:
            raise HintedError(
                "normalize",
                f"no column {' and '.join(missing)}",
                "reference_scores needs two known scores of each environment, or choose min_max",
            )
        return runs["zero"].to_numpy(np.float64), runs["one"].to_numpy(np.float64)
    if method == "min_max":
        scores = runs.groupby("environment")["score"]
        return scores.transform("min").to_numpy(np.float64), scores.transform("max").to_numpy(np.float64)
    known = list(dict.fromkeys(runs["algorithm"].astype(str)))
    if reference is None:
        raise HintedError("normalize", "ratio without a reference", f"one of {', '.join(known)}")
    check_choice("normalize", str(reference), known)
    mean = runs[runs["algorithm"] == reference].groupby("environment")["score"].mean()
    return np.zeros(len(runs)), runs["environment"].map(mean).to_numpy(np.float64)
