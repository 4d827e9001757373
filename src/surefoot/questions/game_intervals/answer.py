"""Intervals of the scores of the game, of means and of distributions, by several methods."""

import pandas as pd

from surefoot.build.log import progress_reporter
from surefoot.questions.answering import Shared
from surefoot.questions.game_intervals.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.estimation import estimate


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The intervals of each method for everything it applies to; for dkw, distributions with bands.

    Returns
    -------
    as `estimate` returns it
    """
    parts = [_by(method, tables["runs"], settings, shared) for method in settings.methods]
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


def _by(method: str, runs: pd.DataFrame, settings: Settings, shared: Shared) -> pd.DataFrame:
    limits = 2 * runs["algorithm"].nunique()
    total, noun = (shared.replicates, "replicates") if method == "bootstrap" else (limits, "limits")
    return estimate(
        runs,
        method,
        confidence=shared.confidence,
        seed=shared.seed,
        replicates=shared.replicates,
        variant=settings.variant,
        threads=shared.threads,
        progress=progress_reporter(f"estimate {method}", total, noun),
        bounds=settings.bounds,
    )
