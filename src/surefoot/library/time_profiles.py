"""Performance profiles of times (Dolan and Moré 2002): how often each method is within a factor of the fastest."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.library.guards import named_by_text
from surefoot.statistics.dolan_more import profile_table, time_ratios
from surefoot.statistics.score_pool import refuse_masked_or_complex


def time_profiles(times: pd.DataFrame | Mapping, thresholds) -> pd.DataFrame:
    """How often each method takes less than a factor of the fastest method's time.

    Parameters
    ----------
    times : a table of problems x methods, or a dict {method: times of the problems, the same of all methods}; positive,
        infinite or NaN where a method does not solve a problem
    thresholds : factors, at least 1. Profiles are strict: a factor of 1 counts nothing, a little more the fastest

    Returns
    -------
    columns method, threshold, count (of problems), fraction

    Raises
    ------
    ValueError : methods with different numbers of problems; a time that is not a positive number; a factor below 1
    """
    given = named_by_text("times", dict(times))
    if len({np.size(of_method) for of_method in given.values()}) != 1:
        sizes = ", ".join(f"{name} {np.size(of_method)}" for name, of_method in given.items()) or "none"
        raise HintedError("times", f"numbers of problems differ: {sizes}", "NaN where a method solves none")
    for name, of_method in given.items():
        refuse_masked_or_complex(
            f"times: {name}", getattr(of_method, "to_numpy", lambda of_method=of_method: of_method)()
        )
    try:
        table = np.array(list(given.values()), np.float64).T
    except (TypeError, ValueError):
        raise HintedError(
            "times", "not all of them are numbers", "one time a problem, NaN where there is none"
        ) from None
    thresholds = np.atleast_1d(np.asarray(thresholds, np.float64))
    if not (thresholds >= 1.0).all():
        raise HintedError("times", f"a factor of {np.min(thresholds):g}", "the fastest has 1; ask for 1 or more")
    profile = profile_table(time_ratios(table), list(given), np.log2(thresholds))
    return profile.assign(threshold=np.tile(thresholds, len(given)))
