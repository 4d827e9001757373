"""The success rate of each algorithm in each environment."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.success_rates.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.rate_limits import rate_limits


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Success rates with intervals for the mean of the runs' rates, since trials of one run are alike.

    Returns
    -------
    columns algorithm, environment, runs, trials (of all runs), rate (the mean of the runs' rates), low, high (each
    interval separately), overdispersion (the correlation of two trials of a run: 0 if trials are as good as
    independent, 1 if all trials of a run have the same outcome; NaN where it cannot be estimated)
    """
    rows = []
    for (algorithm, environment), runs in tables["runs"].groupby(["algorithm", "environment"], sort=False):
        # Of rates of which lower ones are better, the table has the negative ones.
        rates, trials = runs["score"].abs().to_numpy(np.float64), runs["trials"].to_numpy(np.float64)
        found = rate_limits(np.round(rates * trials), trials, shared.confidence)
        rows.append((algorithm, environment, len(runs), int(trials.sum()), rates.mean(), *found))
    columns = ["algorithm", "environment", "runs", "trials", "rate", "low", "high", "overdispersion"]
    return pd.DataFrame(rows, columns=columns)
