"""The distribution of one algorithm in one environment, from samples of several sizes."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.sample_distributions.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.subsamples import subsample_bands


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The distribution of each sample, each with its own band.

    Returns
    -------
    as `subsample_bands` returns it
    """
    return subsample_bands(
        tables["runs"], settings.algorithm, settings.environment, settings.sizes, shared.confidence, shared.seed
    )
