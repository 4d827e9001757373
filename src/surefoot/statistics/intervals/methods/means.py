r"""anderson: intervals for the mean score in each environment.

anderson
    formula : The least and the greatest mean of distributions on the range $[a, b]$ within the band $\mp \varepsilon$,
        $\varepsilon = \min(1, \sqrt{\ln(2 / \delta') / (2 N)})$, around the empirical distribution function:
        $\varepsilon a + \int_0^{1 - \varepsilon} x(u)\, du$ and $\varepsilon b + \int_\varepsilon^1 x(u)\, du$ with
        $x(u)$ the $u$-quantile of the runs, and $\delta' = \delta / (nm)$ for $n$ algorithms in $m$ environments. $a$
        and $b$ are the lowest and the highest score of the environment that any algorithm has.
    assumes : Scores cannot leave the range of those that were seen.
    guarantee : Theorem for a range that was known before: any distribution on it, any number of runs. As the range is
        read off the runs, it holds only if no score can lie outside.
    not for : Scores that further runs could push beyond those seen; wide ranges, for which it is wide.
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
