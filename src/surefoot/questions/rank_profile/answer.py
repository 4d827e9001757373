"""How close each method is to the best, and on how many tasks, by a rank test of runs."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared, unrounded_grid
from surefoot.questions.rank_profile.settings import Settings
from surefoot.statistics.profiles.dolan_more import profile_table, rank_distances
from surefoot.statistics.runs.samples import samples_from_runs


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Performance profiles in which a rank test of the runs says how close a method is to the best.

    Returns
    -------
    columns method, threshold, count, fraction, problems
    """
    (runs,) = sets.values()
    samples = samples_from_runs(runs.assign(cell=runs["algorithm"]))
    table = profile_table(rank_distances(samples), list(samples.algorithms), unrounded_grid(settings.thresholds))
    return table.assign(problems=len(samples.environments))
