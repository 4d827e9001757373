r"""dkw: the distribution of scores of each algorithm in each environment, with a band.

dkw
    about : Bands of whole distributions, one for each algorithm in each environment.
    formula : $\hat F(x) \mp \sqrt{\ln(2 / \delta') / (2 N)}$, cut at 0 and 1, with the share $\hat F(x)$ of the $N$
        runs that score at most $x$, and $\delta' = \delta / (nm)$.
    assumes : The runs of an algorithm in an environment are independent.
    guarantee : Theorem: all whole distribution functions together, for any distributions and any numbers of runs.
    not for : Tails of few runs, where the band is wider than the tail.
    source : dvoretzky1956; massart1990
"""

import pandas as pd

from surefoot.statistics.intervals.bands import distribution_band, thin
from surefoot.statistics.intervals.estimation import Options
from surefoot.statistics.runs.samples import Samples


def estimate(samples: Samples, method: str, options: Options) -> pd.DataFrame:
    """Dvoretzky-Kiefer-Wolfowitz bands, each at level delta/(n m), thinned to `options.points` points a curve."""
    n, m = samples.sizes.shape
    tables = []
    for j, environment in enumerate(samples.environments):
        for i, algorithm in enumerate(samples.algorithms):
            band = thin(distribution_band(samples.pair(i, j), options.delta / (n * m)), options.points)
            table = pd.DataFrame(band._asdict())
            tables.append(table.assign(method=method, algorithm=algorithm, environment=environment))
    order = ["method", "algorithm", "environment", "probability", "score", "low", "high"]
    return pd.concat(tables, ignore_index=True)[order]
