"""Performance percentiles, payoffs, and tables of the evaluation game.

The performance percentile of a score x against algorithm k in environment j is F_{k,j}(x), the proportion of k's runs
that score at most x (Jordan et al. 2020, section 4.1). The payoff z_{i,j,k} is the mean percentile of the runs of
algorithm i. A tie counts fully, so z_{i,j,k} + z_{k,j,i} >= 1. The payoff of an algorithm against its own sample is 0.5
by definition.

Scores can be compared exactly here, since `Samples` makes scores that are equal up to rounding bitwise equal. In
tables, algorithms and environments keep the order of their first appearance in the run table.
"""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers, rank_values
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.runs.samples import Samples, samples_from_runs


def counts_at_or_below(points: Floats, sample: Floats) -> Integers:
    """Count the values of an ascending `sample` at or below each of the ascending `points`, int64[len(points)]."""
    return np.searchsorted(sample, points, side="right")


def payoffs(samples: Samples) -> Floats:
    """Compute the payoffs z_{i,j,k} of algorithm i against k in environment j, float64[n, m, n].

    A payoff is exactly 0.5 if i and k share a sample (Jordan et al. 2020, section 4.2).
    """
    n, m = samples.sizes.shape
    z = np.full((n, m, n), 0.5)
    for i, j, k in np.argwhere(~samples.shared()).tolist():
        x = samples.pair(i, j)
        y = samples.pair(k, j)
        z[i, j, k] = counts_at_or_below(x, y).sum() / (x.size * y.size)
    return z


def payoff_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Compute the payoff of every algorithm against every other one in every environment.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, score, cell; one row per run.

    Returns
    -------
    DataFrame
        Columns environment, algorithm, opponent, payoff; m n n rows.

    Raises
    ------
    ValueError
        See `samples_from_runs`.
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


def aggregate(runs: pd.DataFrame, normalized: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute the aggregate score of each algorithm, and its mean score in each environment.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, score, cell; one row per run.
    normalized : DataFrame
        Result of `payoff_table` for the runs.

    Returns
    -------
    values : DataFrame
        Columns aggregate, algorithm, environment, estimate, standard_error, runs, rank. The aggregate is "game_score"
        (environment, standard_error and runs are empty) or "mean" (of unnormalized scores).
    weights : DataFrame
        Columns environment, opponent, weight; the weights sum to 1.

    Raises
    ------
    ValueError
        See `payoff_table`; or if there are fewer than two algorithms, or `normalized` lacks a payoff.
    """
    samples = samples_from_runs(runs)
    n, m = samples.sizes.shape
    names = ["algorithm", "environment", "opponent"]
    order = pd.MultiIndex.from_product([samples.algorithms, samples.environments, samples.algorithms], names=names)
    table = normalized.set_index(names)["payoff"]
    if len(table) != len(order) or not order.isin(table.index).all():
        raise HintedError(
            "aggregate",
            f"got {len(table)} payoffs, which do not match {n} algorithms in {m} environments",
            "compute the payoffs from the same runs",
        )
    game = play(table.reindex(order).to_numpy(np.float64).reshape(n, m, n))
    scores = pd.DataFrame({"aggregate": "game_score", "algorithm": samples.algorithms, "environment": ""})
    scores = scores.assign(estimate=game.scores, standard_error=np.nan, runs=pd.NA, rank=rank_values(game.scores))
    values = pd.concat([scores.astype({"runs": "Int64"}), _means(samples)], ignore_index=True)
    weights = pd.DataFrame(
        {
            "environment": np.repeat(samples.environments, len(samples.algorithms)),
            "opponent": np.tile(samples.algorithms, len(samples.environments)),
            "weight": game.weights.ravel(),
        }
    )
    return values, weights


def _means(samples: Samples) -> pd.DataFrame:
    tables = []
    for j, environment in enumerate(samples.environments):
        scores = [samples.pair(i, j) for i in range(len(samples.algorithms))]
        mean = np.array([x.mean() for x in scores])
        error = [x.std(ddof=1) / np.sqrt(x.size) if x.size > 1 else np.nan for x in scores]
        table = pd.DataFrame({"aggregate": "mean", "algorithm": samples.algorithms, "environment": environment})
        table = table.assign(estimate=mean, standard_error=error, runs=samples.sizes[:, j], rank=rank_values(mean))
        tables.append(table)
    return pd.concat(tables, ignore_index=True).astype({"runs": "Int64"})
