"""Performance profiles of times (Dolan and Moré 2002): how often each method is within a factor of the fastest."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.answering import Sets, Shared, grid
from surefoot.questions.time_profiles.settings import Settings
from surefoot.statistics.profiles.dolan_more import profile_table, time_ratios
from surefoot.statistics.runs.samples_of_tasks import algorithms_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """How often each method takes less than a factor times the time of the fastest method (the mean of its runs on a
    problem).

    Profiles are strict: a factor of 1 counts none, a factor slightly above it the fastest. Methods with missing or
    infinite times do not solve the problem.

    Returns
    -------
    columns method, threshold, count (of problems), fraction

    Raises
    ------
    ValueError : a time that is not positive; a factor below 1
    """
    (table,) = sets.values()
    factors, methods = grid(settings.thresholds), algorithms_of(table, settings.algorithms)
    if not (factors >= 1.0).all():
        raise HintedError("times", f"a factor of {np.min(factors):g}", "the fastest has 1; ask for 1 or more")
    wide = table.groupby(["environment", "algorithm"], sort=False)["score"].mean().unstack()[methods]
    profile = profile_table(time_ratios(wide.to_numpy(np.float64)), methods, np.log2(factors))
    return profile.assign(threshold=np.tile(factors, len(methods)))
