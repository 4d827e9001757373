"""Profiles of Dolan and Moré by tests, of published means or of runs (Recht 2018)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.dolan_more import DEGREES_OF_FREEDOM, profile_table, rank_distances, welch_distances
from surefoot.statistics.samples import samples_from_runs

Sets = Mapping[str, pd.DataFrame]


def welch_profile(sets: Sets, options: Mapping) -> pd.DataFrame:
    """The profile by Welch's test from means, deviations and numbers of runs, with either degrees of freedom.

    Returns
    -------
    columns degrees_of_freedom, method, threshold, count, fraction, problems
    """
    grid = _grid(options)
    parts = []
    for formula, methods, distances in _distances(sets, options):
        table = profile_table(distances, methods, grid).assign(problems=len(distances))
        table.insert(0, "degrees_of_freedom", formula)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def welch_differences(sets: Sets, options: Mapping) -> pd.DataFrame:
    """On how many problems the best of two methods differs, and which one it is there, at usual levels.

    Returns
    -------
    columns degrees_of_freedom, level, method ("" for both together), count, problems
    """
    rows = []
    for formula, methods, distances in _distances(sets, options):
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


def rank_profile(sets: Sets, options: Mapping) -> pd.DataFrame:
    """The profile by a rank test from runs: columns method, threshold, count, fraction, problems."""
    (runs,) = sets.values()
    samples = samples_from_runs(runs.assign(cell=runs["algorithm"]))
    table = profile_table(rank_distances(samples), list(samples.algorithms), _grid(options))
    return table.assign(problems=len(samples.environments))


def _distances(sets, options):
    """(formula, methods, distances) for either formula of the degrees of freedom."""
    (table,) = sets.values()
    methods = options["algorithms"]
    columns = ("score", "deviation", "runs")
    wide = [
        table.pivot(index="environment", columns="algorithm", values=name)[methods].to_numpy(float) for name in columns
    ]
    for formula in DEGREES_OF_FREEDOM:
        yield formula, methods, welch_distances(*wide, formula)


def _grid(options):
    grid = options["thresholds"]
    return np.linspace(grid["from"], grid["to"], grid["count"])
