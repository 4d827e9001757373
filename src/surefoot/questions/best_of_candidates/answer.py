"""What reporting the best of several trials would claim."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.best_of_candidates.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.game.tuning import best_of_candidates


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The expected score of the best of each number of trials, in each environment.

    Returns
    -------
    as `best_of_candidates` returns it
    """
    return best_of_candidates(tables["runs"], list(settings.candidates))
