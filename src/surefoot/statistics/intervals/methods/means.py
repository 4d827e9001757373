r"""anderson: intervals for the mean score in each environment.

anderson
    about : Limits of the mean score of each algorithm in each environment, where scores have a known range.
    formula : The least and the greatest mean of distributions on $[a, b]$ within $\varepsilon = \min(1, \sqrt{\ln(2 /
        \delta') / (2 N)})$, $\delta' = \delta / (nm)$, of the empirical one: $\varepsilon a + \int_0^{1 - \varepsilon}
        x(u)\, du$ and $\varepsilon b + \int_\varepsilon^1 x(u)\, du$ with the $u$-quantile $x(u)$ of the runs and the
        lowest and highest score $a$ and $b$ of any algorithm in the environment.
    assumes : The runs of an algorithm in an environment are independent; none can score outside the range seen.
    guarantee : Theorem for a range known beforehand: any distribution on it, any number of runs, all means together. As
        the range is read off the runs, it holds only if no score can lie outside.
    not for : Scores that may leave the range seen; wide ranges, which make it wide.
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
