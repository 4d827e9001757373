"""Evaluations with items in clusters, and their standard error."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

RNG = np.random.default_rng


def evaluation(seed=0, passages=12, models=("a", "b", "c"), samples=3):
    """Return binary scores for several questions per passage; questions about a passage share its difficulty."""
    rng = RNG(seed)
    rows = []
    for passage in range(passages):
        easy = rng.normal()
        for item in range(rng.integers(1, 6)):
            for place, model in enumerate(models):
                chance = stats.norm.cdf(easy + rng.normal(0, 0.3) + 0.8 * place)
                rows += [(model, f"text {passage}/{item}", one, float(rng.random() < chance)) for one in range(samples)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def clustered_error(values, clusters):
    """Compute the standard error by Miller's equation 4: squares, and products of all pairs of items in a cluster."""
    deviations = [value - sum(values) / len(values) for value in values]
    total = sum(one * one for one in deviations)
    total += sum(
        2 * one * other
        for (one, first), (other, second) in combinations(zip(deviations, clusters, strict=True), 2)
        if first == second
    )
    return total**0.5 / len(values)
