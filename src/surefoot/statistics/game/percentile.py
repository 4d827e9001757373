"""Performance percentiles, payoffs, and tables of the game: payoffs, point values, percentiles of single runs.

The performance percentile of a score x against algorithm k in environment j is F_{k,j}(x), the proportion of k's
runs that score at most x (Jordan et al. 2020, section 4.1). The payoff z_{i,j,k} is its mean over the runs of
algorithm i. A tie counts fully, so z_{i,j,k} + z_{k,j,i} >= 1; an algorithm against its own sample has 0.5 by
definition.

Scores are compared here to the last bit; `Samples` hold those that are equal but for rounding as equal. In tables,
algorithms and environments keep the order of their first appearance in the run table.
"""

import numpy as np
import pandas as pd
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.comparison.ranks import rank_values
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.runs.samples import Samples, samples_from_runs


@njit(cache=True, nogil=True, error_model="numpy")
def counts_at_or_below(points: Floats, sample: Floats, counts: Integers) -> None:
    """For each of the ascending `points`, the number of values in the ascending `sample` that are not greater.

    Written to `counts`, int64[len(points)]; divided by len(sample) they are the performance percentiles.
    """
    below = 0
    for t in range(points.size):
        while below < sample.size and sample[below] <= points[t]:
            below += 1
        counts[t] = below


@njit(cache=True, nogil=True, error_model="numpy")
def _counts_below(points: Floats, sample: Floats, counts: Integers) -> None:
    """As `counts_at_or_below`, of values that are smaller."""
    below = 0
    for t in range(points.size):
        while below < sample.size and sample[below] < points[t]:
            below += 1
        counts[t] = below


def proportions_at_or_below(points: Floats, sample: Floats) -> Floats:
    """For each of the ascending `points`, the proportion of the ascending `sample` that is not greater."""
    counts = np.empty(points.size, np.int64)
    counts_at_or_below(points, sample, counts)
    return counts / sample.size


def proportions_at_or_above(points: Floats, sample: Floats) -> Floats:
    """For each of the ascending `points`, the proportion of the ascending `sample` that is not smaller."""
    counts = np.empty(points.size, np.int64)
    _counts_below(points, sample, counts)
    return 1.0 - counts / sample.size


@njit(cache=True, nogil=True, error_model="numpy")
def _pairs_at_or_below(points: Floats, sample: Floats) -> int:
    """Number of pairs (a point, a value of the sample) with the value not greater than the point."""
    below, pairs = 0, 0
    for t in range(points.size):
        while below < sample.size and sample[below] <= points[t]:
            below += 1
        pairs += below
    return pairs


def payoffs(samples: Samples) -> Floats:
    """Payoffs z, float64[n, m, n]: mean performance percentile of algorithm i against algorithm k in environment j.

    Exactly 0.5 where i and k share a sample (Jordan et al. 2020, section 4.2).
    """
    n, m = samples.sizes.shape
    shared = samples.shared()
    z = np.full((n, m, n), 0.5)
    for i, j, k in np.argwhere(~shared).tolist():
        x, y = samples.pair(i, j), samples.pair(k, j)
        z[i, j, k] = _pairs_at_or_below(x, y) / (x.size * y.size)
    return z


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


def aggregate(runs: pd.DataFrame, normalized: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Point values: the aggregate score of each algorithm, and its mean score in each environment.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    normalized : the table that `payoff_table` made of the runs

    Returns
    -------
    values : columns aggregate, algorithm, environment, value, standard_error, runs, rank. aggregate is "game_score"
        (environment, standard_error and runs are empty) or "mean" (of the scores as they are)
    weights : columns environment, opponent, weight; the weights sum to 1

    Raises
    ------
    ValueError : as `payoff_table`; fewer than two algorithms; `normalized` does not hold a payoff for each
    """
    samples = samples_from_runs(runs)
    game = play(_payoff_array(normalized, samples))
    scores = pd.DataFrame({"aggregate": "game_score", "algorithm": samples.algorithms, "environment": ""})
    scores = scores.assign(value=game.scores, standard_error=np.nan, runs=pd.NA, rank=rank_values(game.scores))
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
        table = table.assign(value=mean, standard_error=error, runs=samples.sizes[:, j], rank=rank_values(mean))
        tables.append(table)
    return pd.concat(tables, ignore_index=True).astype({"runs": "Int64"})


def _payoff_array(normalized: pd.DataFrame, samples: Samples) -> Floats:
    """float64[n, m, n] from a table of payoffs in any order of rows."""
    names = ["algorithm", "environment", "opponent"]
    order = pd.MultiIndex.from_product([samples.algorithms, samples.environments, samples.algorithms], names=names)
    table = normalized.set_index(names)["payoff"]
    if len(table) != len(order) or not order.isin(table.index).all():
        raise HintedError(
            "aggregate",
            f"{len(table)} payoffs do not fit {len(samples.algorithms)} algorithms in "
            f"{len(samples.environments)} environments",
            "normalize these runs again",
        )
    n, m = samples.sizes.shape
    return table.reindex(order).to_numpy(np.float64).reshape(n, m, n)


def run_percentiles(runs: pd.DataFrame, weights: pd.DataFrame) -> pd.DataFrame:
    """Performance percentile of every run under a weighting of the algorithms in its environment.

    The percentile of a score x in environment j is sum_k w_{j,k} F_{k,j}(x), where the weights w_{j,k} of the
    environment's algorithms sum to 1; ties count fully. The game's weights q_{j,k} are divided by their sum over k.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    weights : columns environment, opponent, weight, as `aggregate` makes them

    Returns
    -------
    the rows of `runs`, with a column percentile

    Raises
    ------
    ValueError : see `samples_from_runs`; a pair without a weight, or an environment whose weights are all 0
    """
    samples = samples_from_runs(runs)
    table = weights.set_index(["environment", "opponent"])["weight"]
    order = pd.MultiIndex.from_product([samples.environments, samples.algorithms])
    share = table.reindex(order).to_numpy(np.float64).reshape(len(samples.environments), -1)
    total = share.sum(axis=1, keepdims=True)
    if not (total > 0).all():
        raise HintedError("run_percentiles", "the weights of an environment are missing or 0", "aggregate these runs")
    share = share / total
    percentile = np.empty(len(runs))
    places = runs.groupby("environment", sort=False, observed=True).indices
    for j, environment in enumerate(samples.environments):
        # Tied scores of samples are as the least of them, so that a score as it came is at or above those it ties with.
        scores = runs["score"].to_numpy(np.float64)[places[environment]]
        parts = [
            share[j, k] * np.searchsorted(samples.pair(k, j), scores, side="right") / samples.sizes[k, j]
            for k in range(len(samples.algorithms))
        ]
        percentile[places[environment]] = np.sum(parts, axis=0)
    return runs.assign(percentile=percentile)


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def percentile_quantiles(runs: pd.DataFrame, weights: pd.DataFrame) -> pd.DataFrame:
    """How the percentiles of an algorithm's runs are distributed, where each environment has its part of the weights.

    Their mean is the algorithm's aggregate score, but for the comparison with itself, which counts one half there, and
    here how a run stands among all runs of the algorithm.

    Parameters
    ----------
    runs, weights : as in `run_percentiles`; environments without weight take no part

    Returns
    -------
    columns algorithm, mean, and several quantiles, named quantile_05 and so on: the lowest percentile that this share
    of the weighted runs does not exceed

    Raises
    ------
    ValueError : see `run_percentiles`
    """
    runs = runs.assign(environment=runs["environment"].astype(str))  # tasks of arrays are numbers
    part = weights.groupby("environment")["weight"].sum()
    part = part[part > 0] / part.sum()
    table = run_percentiles(runs[runs["environment"].isin(part.index)], weights)
    sizes = table.groupby(["algorithm", "environment"])["score"].transform("size")
    table = table.assign(part=table["environment"].map(part) / sizes)
    rows = []
    for algorithm, group in table.groupby("algorithm", sort=False):
        ordered = group.sort_values("percentile")
        reached = np.cumsum(ordered["part"].to_numpy())
        # The sum of all parts is 1 but for rounding, as are the places of the quantiles.
        places = np.searchsorted(reached, np.array(SHARES) - 1e-12).clip(max=len(ordered) - 1)
        quantiles = ordered["percentile"].to_numpy()[places]
        names = [f"quantile_{100 * share:02.0f}" for share in SHARES]
        mean = float((ordered["percentile"] * ordered["part"]).sum())
        rows.append({"algorithm": algorithm, "mean": mean} | dict(zip(names, quantiles, strict=True)))
    return pd.DataFrame(rows)
