"""The percentile of every run under the weights of the game."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.run_percentiles.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.game.aggregation import aggregate
from surefoot.statistics.game.payoff_table import payoff_table
from surefoot.statistics.game.run_percentiles import percentile_quantiles


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Quantiles of the percentiles of single runs.

    Returns
    -------
    as `percentile_quantiles` returns it
    """
    runs = tables["runs"]
    weights = tables["weights"] if "weights" in tables else aggregate(runs, payoff_table(runs))[1]
    return percentile_quantiles(runs, weights)
