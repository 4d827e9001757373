"""The probability that a run of one algorithm beats one of another, with intervals."""

from itertools import permutations

import pandas as pd

from surefoot.errors import HintedError, shortened
from surefoot.questions.answering import Sets, Shared
from surefoot.questions.improvement.settings import Settings
from surefoot.statistics.curve_bands import pointwise_band
from surefoot.statistics.improvement import probability_of_improvement, replicate_improvement
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Probability that a run of x beats one of y, of the pairs asked for or of all.

    Returns
    -------
    columns scores, x, y, value, low, high, ties, as_published (scores compared as they come, ties lost to rounding)
    """
    rows, decimals = [], settings.decimals
    for name, table in sets.items():
        known = algorithms_of(table, settings.algorithms)
        samples = {algorithm: scores_of(table, algorithm) for algorithm in known}
        for x, y in settings.pairs or permutations(known, 2):
            for one in (x, y):
                if one not in samples:
                    raise HintedError("pairs", f'no scores of "{shortened(one)}"', ", ".join(known))
            found = probability_of_improvement(samples[x], samples[y], decimals)
            published = probability_of_improvement(samples[x], samples[y], decimals=None)
            drawn = replicate_improvement(
                samples[x],
                samples[y],
                shared.replicates,
                shared.seed,
                (f"{name}/{x}", f"{name}/{y}"),
                tasks_of(table),
                decimals,
                threads=shared.threads,
            )
            low, high = pointwise_band(drawn, shared.confidence)
            rows.append((name, x, y, found.probability, low, high, found.ties, published.probability))
    return pd.DataFrame(rows, columns=["scores", "x", "y", "value", "low", "high", "ties", "as_published"])
