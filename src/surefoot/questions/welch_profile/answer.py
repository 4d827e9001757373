"""How close each method is to the best, and on how many tasks, by Welch's test of published means."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared, unrounded_grid
from surefoot.questions.welch import welch_tables
from surefoot.questions.welch_profile.settings import Settings
from surefoot.statistics.profiles.dolan_more import profile_table


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The profile by Welch's test from means, deviations and numbers of runs, with either degrees of freedom.

    Returns
    -------
    columns degrees_of_freedom, method, threshold, count, fraction, problems
    """
    grid = unrounded_grid(settings.thresholds)
    parts = []
    for formula, methods, distances in welch_tables(sets, settings.algorithms):
        table = profile_table(distances, methods, grid).assign(problems=len(distances))
        table.insert(0, "degrees_of_freedom", formula)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)
