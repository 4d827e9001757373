"""Whether there are runs of the two algorithms."""

import pandas as pd

from surefoot.questions.checking import check_known
from surefoot.questions.false_alarm_rates.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError for an algorithm of which there are no scores."""
    for name in settings.compare:
        check_known(name, list(dict.fromkeys(table["algorithm"])), where)
