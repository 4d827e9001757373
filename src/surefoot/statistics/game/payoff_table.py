"""The payoff of every algorithm against every other in every environment, as a table.

Algorithms and environments keep the order of their first appearance in the run table.
"""

import numpy as np
import pandas as pd

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import samples_from_runs


def payoff_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Payoffs of every algorithm against every other in every environment.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run

    Returns
    -------
    columns environment, algorithm, opponent, payoff; m n n rows

    Raises
    ------
    ValueError : see `samples_from_runs`
    """
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
