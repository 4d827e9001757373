"""Joint tests of many differences whose errors are shared, such as of agents that played the same tasks.

Where samples are independent, `joint_tests` of this room is sharper, and does not hold its level here.

Each difference alone is judged with a wide tolerance, so that few of many are wrongly called different; what that
leaves undetected shows in all of them together. Differences of one group share part of their error, and how much is not
known: both tests hold their level for any correlation of zero or more that is the same within a group.
"""

import numpy as np
import pandas as pd
from scipy.stats import chi2, ncx2, norm


def shared_error_tests(differences: pd.DataFrame) -> pd.DataFrame:
    """Two tests for each group of standardised differences: of their mean, and of their scatter around it.

    Parameters
    ----------
    differences : columns group, z (difference in its standard error) and raised (how much less than 0 the expected z
        may be, such as where the published number is the greatest of several; 0 where nothing raised it)

    Returns
    -------
    columns group, count, mean, p_mean, scatter (standard deviation around the mean; NaN for one difference), p_scatter
    (1 for one difference), in the order of the groups.

    The mean of equally correlated standard normal numbers has a variance of at most 1, however many they are, so p_mean
    is that of a single normal number; it is two-sided, with the expected mean anywhere from minus the mean of `raised`
    to 0. The sum of squares around the mean is (1 - correlation) times a chi-squared number of count - 1 degrees of
    freedom, not central where `raised` may differ; p_scatter, one-sided, takes the correlation for 0 and the
    non-centrality for the greatest that is possible, count max(raised)^2 / 4 (Popoviciu's inequality).
    """
    rows = []
    for group, part in differences.groupby("group", sort=False):
        z, raised = part["z"].to_numpy(float), part["raised"].to_numpy(float)
        beyond = max(z.mean(), -z.mean() - raised.mean(), 0.0)
        row = {"group": group, "count": z.size, "mean": z.mean(), "p_mean": 2.0 * norm.sf(beyond)}
        row |= {"scatter": np.nan, "p_scatter": 1.0}
        if z.size > 1:
            squares, freedom = ((z - z.mean()) ** 2).sum(), z.size - 1
            shift = z.size * raised.max() ** 2 / 4.0
            tail = ncx2.sf(squares, freedom, shift) if shift > 0 else chi2.sf(squares, freedom)
            row |= {"scatter": z.std(ddof=1), "p_scatter": float(tail)}
        rows.append(row)
    return pd.DataFrame(rows, columns=["group", "count", "mean", "p_mean", "scatter", "p_scatter"])
