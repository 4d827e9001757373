"""The scores of the two-player game, and the weight of each environment and opponent in them."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.game_scores.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.game.aggregation import aggregate
from surefoot.statistics.game.payoff_table import payoff_table


def answer(tables: Tables, settings: Settings, shared: Shared) -> dict[str, pd.DataFrame]:
    """The aggregate score of every algorithm, and its mean score in each environment.

    Returns
    -------
    columns aggregate ("game_score", or "mean" of the raw scores of an environment), algorithm, environment, value,
    standard_error, runs, rank; `tables()["weights"]` has the columns environment, opponent, weight
    """
    normalized = tables["normalized"] if "normalized" in tables else payoff_table(tables["runs"])
    values, weights = aggregate(tables["runs"], normalized)
    return {"": values, "weights": weights}
