"""normalize: the payoff of every algorithm against every other in every environment, as a table.

Algorithms and environments keep the order of their first appearance in the run table.
"""

import numpy as np
import pandas as pd

from surefoot.statistics.choices import check_choice
from surefoot.statistics.percentile import payoffs
from surefoot.statistics.samples import samples_from_runs

NORMALIZATIONS = ("performance_percentile",)


def normalize(runs: pd.DataFrame, method: str) -> pd.DataFrame:
    """Payoffs of every algorithm against every other in every environment.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    method : "performance_percentile"

    Returns
    -------
    columns environment, algorithm, opponent, payoff; m n n rows

    Raises
    ------
    ValueError : see `samples_from_runs`; an unknown method
    """
    check_choice("normalize", method, NORMALIZATIONS)
    samples = samples_from_runs(runs)
    z = payoffs(samples)
    n, m, _ = z.shape
    return pd.DataFrame(
        {
            "environment": np.repeat(samples.environments, n * n),
            "algorithm": np.tile(np.repeat(samples.algorithms, n), m),
            "opponent": np.tile(samples.algorithms, m * n),
            "payoff": z.transpose(1, 0, 2).ravel(),
        }
    )
