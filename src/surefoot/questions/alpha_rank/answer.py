"""The scores of the game as alpha-Rank's parameter varies."""

import pandas as pd

from surefoot.questions.alpha_rank.settings import Settings
from surefoot.questions.answering import Shared
from surefoot.result_tables import Tables
from surefoot.statistics.game.alpha_rank import alpha_sweep


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The score and the rank of every algorithm at each alpha, and in the limit.

    Returns
    -------
    as `alpha_sweep` returns it
    """
    return alpha_sweep(tables["runs"], list(settings.alphas))
