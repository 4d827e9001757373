"""What results different tuning procedures report."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.tuning.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.game.tuning import procedure_table


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """What each tuning procedure reports of every algorithm in every environment.

    Returns
    -------
    as `procedure_table` returns it
    """
    numbers = settings.model_dump(include={"candidates", "tuning_runs", "reported_runs", "repetitions"})
    return procedure_table(tables["runs"], **numbers, seed=shared.seed)
