"""Algorithms against each other: probability of improvement, ranks, and what the runs share across tasks."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, matched_scores, scores_of, tasks_of
from surefoot.statistics.improvement import probability_of_improvement, replicate_improvement
from surefoot.statistics.profile_bands import pointwise_band
from surefoot.statistics.rank_distributions import rank_distributions
from surefoot.statistics.run_effects import run_effect
from surefoot.statistics.stratified_bootstrap import metric_values
from surefoot.statistics.ties import RELATIVE

Sets = Mapping[str, pd.DataFrame]


def improvement(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Probability that a run of x beats one of y, of the pairs asked for or of all.

    Returns
    -------
    columns scores, x, y, value, low, high, ties, as_published (scores compared as they come, ties lost to rounding)
    """
    rows, decimals = [], options.get("decimals", RELATIVE)
    for name, table in sets.items():
        known = algorithms_of(table, options)
        samples = {algorithm: scores_of(table, algorithm) for algorithm in known}
        for x, y in options.get("pairs") or permutations(known, 2):
            for one in (x, y):
                if one not in samples:
                    raise ValueError(f'no scores of "{one}". Hint: {", ".join(known)}.')
            found = probability_of_improvement(samples[x], samples[y], decimals)
            published = probability_of_improvement(samples[x], samples[y], decimals=None)
            drawn = replicate_improvement(
                samples[x],
                samples[y],
                options["replicates"],
                options["seed"],
                (f"{name}/{x}", f"{name}/{y}"),
                tasks_of(table),
                decimals,
                threads=options["threads"],
            )
            low, high = pointwise_band(drawn, options["confidence"])
            rows.append((name, x, y, found.probability, low, high, found.ties, published.probability))
    return pd.DataFrame(rows, columns=["scores", "x", "y", "value", "low", "high", "ties", "as_published"])


def ranks(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Exact distributions of ranks: columns scores, environment ("" is the mean over tasks), algorithm, rank, value."""
    parts = []
    for name, table in sets.items():
        algorithms = algorithms_of(table, options)
        found = rank_distributions(
            [scores_of(table, algorithm) for algorithm in algorithms], options.get("decimals", RELATIVE)
        )
        for task, matrix in [("", found.mean(axis=0)), *zip(tasks_of(table), found, strict=True)]:
            part = pd.DataFrame(
                {
                    "scores": name,
                    "environment": task,
                    "algorithm": np.repeat(algorithms, len(algorithms)),
                    "rank": np.tile(np.arange(1, len(algorithms) + 1), len(algorithms)),
                    "value": matrix.ravel(),
                }
            )
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def run_effects(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Do runs with the same number do well on all tasks? Friedman's test over the tasks, and the first runs alone.

    Returns
    -------
    columns algorithm, statistic, degrees, p_value (of Friedman's test), runs, first (number of runs), first_iqm, iqm,
        correlation, correlation_high, finding (see `surefoot.statistics.run_effects`)
    """
    from scipy.stats import friedmanchisquare

    (table,) = sets.values()
    (first,) = options["sizes"]
    rows = []
    for algorithm in algorithms_of(table, options):
        scores = matched_scores(table, algorithm)
        statistic, p_value = friedmanchisquare(*scores)
        iqm = [float(metric_values(part, ["iqm"])[0]) for part in (scores[:first], scores)]
        effect = run_effect(scores, options["confidence"], seed=options["seed"])
        found = (effect.correlation, effect.correlation_high, effect.finding)
        rows.append((algorithm, statistic, len(scores) - 1, p_value, len(scores), first, *iqm, *found))
    columns = ["algorithm", "statistic", "degrees", "p_value", "runs", "first", "first_iqm", "iqm"]
    return pd.DataFrame(rows, columns=[*columns, "correlation", "correlation_high", "finding"])


def histograms(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Scores of each task counted in bins of equal width: columns environment, low, high, count, runs."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, options)
    parts = []
    for task, scores in zip(tasks_of(table), scores_of(table, algorithm), strict=True):
        counts, edges = np.histogram(scores, options["bins"])
        part = pd.DataFrame({"environment": task, "low": edges[:-1], "high": edges[1:], "count": counts})
        parts.append(part.assign(runs=scores.size))
    return pd.concat(parts, ignore_index=True)
