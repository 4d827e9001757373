"""On how many tasks the better of two methods differs from the other, by Welch's test of published means."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.welch import welch_tables
from surefoot.questions.welch_differences.settings import Settings


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """On how many problems the better of two methods differs, and which one it is there, at usual levels.

    Returns
    -------
    columns degrees_of_freedom, level, method ("" for both together), count, problems
    """
    rows = []
    for formula, methods, distances in welch_tables(sets, settings.algorithms):
        best = distances.argmin(axis=1)
        worst = distances.max(axis=1)
        for level in (0.05, 0.01, 0.001):
            differ = worst > -np.log10(level)
            rows.append((formula, level, "", int(differ.sum()), len(distances)))
            rows += [
                (formula, level, name, int((differ & (best == m)).sum()), len(distances))
                for m, name in enumerate(methods)
            ]
    return pd.DataFrame(rows, columns=["degrees_of_freedom", "level", "method", "count", "problems"])
