"""The performance percentile of every run under the game's weights (Jordan et al. 2020, definition 2)."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.runs.samples import samples_from_runs


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
