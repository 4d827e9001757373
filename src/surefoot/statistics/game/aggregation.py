"""aggregate: point values of every algorithm and the weights behind them, as tables."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.ranks import rank_values
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.runs.samples import Samples, samples_from_runs


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
