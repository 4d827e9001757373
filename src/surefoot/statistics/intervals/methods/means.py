r"""anderson: intervals for the mean score in each environment.

anderson
    formula : The least and the greatest mean of distributions on the known range $[a, b]$ within the band $\mp
        \sqrt{\ln(2 / \delta') / (2 N)}$ around the empirical distribution function.
    assumes : Scores cannot leave the known range.
    guarantee : Theorem: any distribution on the range, any number of runs.
    not for : Ranges taken from the runs themselves, where the guarantee is void; wide ranges, for which it is wide.
    source : anderson1969; jordan2020, appendix I
"""

import numpy as np
import pandas as pd

from surefoot.statistics.intervals.anderson import mean_limits
from surefoot.statistics.intervals.estimation import Options
from surefoot.statistics.intervals.methods.table import finished, with_limits
from surefoot.statistics.runs.samples import Samples, score_range


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Anderson's intervals, each at level delta/(n m), on the range of the scores seen in the environment."""
    n, m = samples.sizes.shape
    level = options.delta / (n * m)
    tables = []
    for j, environment in enumerate(samples.environments):
        scores = [samples.pair(i, j) for i in range(n)]
        limits = np.array([mean_limits(x, *score_range(samples, j), level) for x in scores])
        table = pd.DataFrame({"aggregate": "mean", "algorithm": samples.algorithms, "environment": environment})
        values = np.array([x.mean() for x in scores])
        tables.append(with_limits(table, values, limits[:, 0], limits[:, 1], 1.0 - level))
    return finished(pd.concat(tables, ignore_index=True), method, samples.smallest_size())
