"""Whether the runs can be a pilot."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.errors import HintedError
from surefoot.questions.checking import check_known, check_metrics_of, run_counts
from surefoot.questions.run_plans.settings import Settings
from surefoot.statistics.comparison.differences import check_raised
from surefoot.statistics.runs.samples_of_tasks import scores_of


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    known = list(dict.fromkeys(table["algorithm"]))
    pilots = settings.algorithms or tuple(known[:1])
    for name in pilots:
        check_known(name, known, where)
    counts = run_counts(table, pilots)
    if counts.min() < 2:
        what = f"{' / '.join(counts.idxmin())} has one run, and a pilot needs a spread"
        raise InputError(where, what, "at least two runs of each task, better ten")
    check_metrics_of(table[table["algorithm"].isin(pilots)], settings.metrics, where)
    for algorithm in pilots:
        try:
            check_raised(scores_of(table, algorithm), settings.metrics, settings.lifts)
        except HintedError as error:
            raise InputError(f"{where}.lifts", f"{algorithm}: {error.told}", f"{error.hint}; or lifts: [0]") from None
