"""Tables in, tables out: what the workflow asks of the statistics.

Algorithms and environments keep the order of their first appearance in the run table.
"""

import numpy as np
import pandas as pd

from surefoot.statistics.anderson import mean_limits
from surefoot.statistics.bands import distribution_band, thin
from surefoot.statistics.bootstrap import bootstrap_limits
from surefoot.statistics.game import play
from surefoot.statistics.payoff_limits import distribution_free_limits, score_range, t_limits
from surefoot.statistics.percentile import payoffs
from surefoot.statistics.ranks import rank_values, ranks
from surefoot.statistics.samples import Samples, samples_from_runs
from surefoot.statistics.score_limits import score_limits
from surefoot.streams import stream_key

NORMALIZATION = "performance_percentile"
METHODS = ("pbp", "pbp_t", "bootstrap", "anderson", "dkw")
VARIANTS = ("as_published", "corrected")


def normalize(runs: pd.DataFrame, method: str) -> pd.DataFrame:
    """Payoffs of every algorithm against every other in every environment.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row a run
    method : "performance_percentile"

    Returns
    -------
    columns environment, algorithm, opponent, payoff; m n n rows

    Raises
    ------
    ValueError : see `samples_from_runs`; an unknown method
    """
    _check_choice("normalize", method, (NORMALIZATION,))
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


def aggregate(runs: pd.DataFrame, normalized: pd.DataFrame, method: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Point values: the aggregate score of each algorithm, and its mean score in each environment.

    Parameters
    ----------
    runs, method : as in `normalize`
    normalized : the table that `normalize` made of the runs

    Returns
    -------
    values : columns aggregate, algorithm, environment, value, standard_error, runs, rank. aggregate is "game_score"
        (environment, standard_error and runs are empty) or "mean" (of the scores as they are)
    weights : columns environment, opponent, weight; the weights sum to 1

    Raises
    ------
    ValueError : as `normalize`; fewer than two algorithms; `normalized` does not hold a payoff for each
    """
    _check_choice("aggregate", method, (NORMALIZATION,))
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


def _payoff_array(normalized, samples):
    """float64[n, m, n] from a table of payoffs in any order of rows."""
    names = ["algorithm", "environment", "opponent"]
    order = pd.MultiIndex.from_product([samples.algorithms, samples.environments, samples.algorithms], names=names)
    table = normalized.set_index(names)["payoff"]
    if len(table) != len(order) or not order.isin(table.index).all():
        raise ValueError(
            f"aggregate: {len(table)} payoffs do not fit {len(samples.algorithms)} algorithms in "
            f"{len(samples.environments)} environments. Hint: normalize these runs again."
        )
    n, m = samples.sizes.shape
    return table.reindex(order).to_numpy(np.float64).reshape(n, m, n)


def estimate(
    runs: pd.DataFrame,
    method: str,
    confidence: float = 0.95,
    seed: int = 0,
    replicates: int = 10_000,
    variant: str = "corrected",
    threads: int = 1,
    points: int = 100,
    progress=None,
) -> pd.DataFrame:
    """Intervals for scores or means, or bands for distributions.

    Parameters
    ----------
    runs : as in `normalize`
    method : pbp, pbp_t or bootstrap (aggregate scores), anderson (mean score in each environment), dkw
        (distributions)
    confidence : probability that all the intervals of the table hold at once
    seed : of the bootstrap's draws and of the tie breaks in pbp and pbp_t
    replicates : of the bootstrap
    variant : "as_published" or "corrected"; see payoff_limits, score_limits and bootstrap for what differs.
        anderson and dkw have only one.
    threads : how many may be used; the result does not depend on it
    points : greatest number of points of a curve of dkw
    progress : called now and then with the number of parts done: replicates, or limits of scores

    Returns
    -------
    dkw : columns method, algorithm, environment, probability, score, low, high
    others : columns method, aggregate, algorithm, environment, value, low, high, rank, rank_low, rank_high,
        confidence,
        runs (the fewest of any pair), replicates (empty but for the bootstrap)

    Raises
    ------
    ValueError : as `normalize`; an unknown method or variant; a confidence outside (0, 1); what a method cannot do,
        such as a game of one algorithm or the standard deviation of one run
    """
    _check_choice("estimate", method, METHODS)
    _check_choice("estimate", variant, VARIANTS)
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"estimate: a confidence of {confidence} is not between 0 and 1. Hint: 0.95 is usual.")
    samples = samples_from_runs(runs)
    delta = 1.0 - confidence
    if method == "dkw":
        return _bands(samples, delta, points)
    if method == "anderson":
        return _mean_intervals(samples, delta)
    scores = play(payoffs(samples)).scores
    if method == "bootstrap":
        low, high = bootstrap_limits(samples, delta, seed, replicates, variant, threads, progress)
    else:
        limits = distribution_free_limits if method == "pbp" else t_limits
        key = stream_key(seed, "score_limits", method)
        low, high = score_limits(*limits(samples, delta, variant), variant, key, threads, progress)
    table = pd.DataFrame({"aggregate": "game_score", "algorithm": samples.algorithms, "environment": ""})
    table = _with_limits(table, scores, low, high, confidence)
    drawn = replicates if method == "bootstrap" else pd.NA
    return _finish(table, method, samples.smallest_size(), drawn)


def _bands(samples, delta, points):
    n, m = samples.sizes.shape
    tables = []
    for j, environment in enumerate(samples.environments):
        for i, algorithm in enumerate(samples.algorithms):
            band = thin(distribution_band(samples.pair(i, j), delta / (n * m)), points)
            table = pd.DataFrame(band._asdict())
            tables.append(table.assign(method="dkw", algorithm=algorithm, environment=environment))
    order = ["method", "algorithm", "environment", "probability", "score", "low", "high"]
    return pd.concat(tables, ignore_index=True)[order]


def _mean_intervals(samples, delta):
    """Anderson's intervals, each at level delta/(n m), on the range of the scores seen in the environment."""
    n, m = samples.sizes.shape
    tables = []
    for j, environment in enumerate(samples.environments):
        scores = [samples.pair(i, j) for i in range(n)]
        limits = np.array([mean_limits(x, *score_range(samples, j), delta / (n * m)) for x in scores])
        table = pd.DataFrame({"aggregate": "mean", "algorithm": samples.algorithms, "environment": environment})
        values = np.array([x.mean() for x in scores])
        tables.append(_with_limits(table, values, limits[:, 0], limits[:, 1], 1.0 - delta / (n * m)))
    return _finish(pd.concat(tables, ignore_index=True), "anderson", samples.smallest_size(), pd.NA)


def _with_limits(table, values, low, high, confidence):
    rank, rank_low, rank_high = ranks(values, low, high)
    columns = {"rank": rank, "rank_low": rank_low, "rank_high": rank_high, "confidence": confidence}
    return table.assign(value=values, low=low, high=high, **columns)


def _finish(table, method, runs, replicates):
    table.insert(0, "method", method)
    return table.assign(runs=runs, replicates=pd.array([replicates] * len(table), dtype="Int64"))


def _check_choice(stage, choice, choices):
    if choice not in choices:
        raise ValueError(f'{stage}: "{choice}" is not known. Hint: one of {", ".join(choices)}.')
