"""What reporting the best of several trials would claim."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.best_of_candidates.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.game.tuning import best_of_candidates


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The expected score for each number of candidates; see `best_of_candidates`."""
    return best_of_candidates(tables["runs"], list(settings.candidates))
