"""How often limits of a model's mean score over items miss the rate over all items, and those of its difference to a
second model on the same items, by number of items and clusters.

An item has a rate of success, drawn from a beta distribution with the mean of the case, and each of its samples
succeeds with it; half of the items of a cluster have one rate in common. Sizes of unlike clusters grow by a third from
each to the next. The method clustered is that of `evaluation_scores`; standard errors is the mean and 1.96 of Miller's
clustered standard errors. The second model is worse by .08 on average, with rates at the same places of its own beta
distribution; the method paired is that of `multiple_comparisons` on random tasks, and paired t the t test on items.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from surefoot.statistics.comparison.multiple_comparisons import paired_rate_pairs, paired_task_pairs
from surefoot.statistics.coverage.simulated_scores import uniform_numbers
from surefoot.statistics.intervals.item_means import cluster_remark, item_mean

SUBJECT = "evaluation scores"
_METHODS = ("clustered", "standard errors", "paired", "paired t")
_WORSE = 0.08
_CONFIDENCE, _QUANTILE = 0.95, 1.959963984540054
_SPREAD = 3.0
"""The sum of the parameters of the beta distribution: two samples of an item correlate by 1 / 4."""
_SHARED = 0.5
_ROUNDING = 1e-12
_LARGER, _LARGEST = 4 / 3, 60


def cells() -> list[dict[str, Any]]:
    """Rates of .5, .9 and .97; 10 to 200 items for themselves, 5 to 50 clusters of four or of unlike sizes; one sample
    of each item, or five."""
    designs = [(items, "single items") for items in (10, 20, 50, 200)]
    designs += [(count, f"clusters of {sizes}") for sizes in ("four", "unlike sizes") for count in (5, 10, 20, 50)]
    return [
        {"name": f"{rate:g}, {count} {kind}, {samples} samples", "rate": rate, "count": count, "kind": kind}
        | {"samples": samples}
        for count, kind in designs
        for rate in (0.5, 0.9, 0.97)
        for samples in (1, 5)
    ]


def _sizes(cell: dict[str, Any]) -> list[int]:
    if cell["kind"] == "single items":
        return [1] * cell["count"]
    if cell["kind"] == "clusters of four":
        return [4] * cell["count"]
    return [min(round(2 * _LARGER ** (place % 12)), _LARGEST) for place in range(cell["count"])]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures and widths of both methods in `datasets` evaluations of a cell.

    replicates : not used, since nothing is resampled
    """
    rate, samples = cell["rate"], cell["samples"]
    clusters = np.repeat(np.arange(cell["count"]), _sizes(cell))
    items = clusters.size
    names, truth = [str(one) for one in clusters], np.array([rate, rate, _WORSE, _WORSE])
    remark = ""
    missed, width = np.zeros(len(_METHODS), int), np.zeros(len(_METHODS))
    for number in range(datasets):
        uniforms = uniform_numbers((items, 2 * samples + 3), seed, f"{SUBJECT}/{cell['name']}", number)
        of_cluster = uniforms[np.unique(clusters, return_index=True)[1], 0][clusters]
        place = np.where(uniforms[:, 1] < _SHARED, of_cluster, uniforms[:, 2])
        means = np.array([rate, rate - _WORSE])[:, None]
        rates = betaincinv(_SPREAD * means, _SPREAD * (1.0 - means), place)
        outcomes = uniforms[:, 3:].reshape(items, 2, samples) < rates.T[..., None]
        scores, others = outcomes.mean(axis=2).T
        found = item_mean(scores, names, items * samples, _CONFIDENCE)
        by_task = np.array([[scores - scores, scores - others], [others - scores, others - others]])
        paired = (paired_rate_pairs(by_task, names, items * samples), paired_task_pairs(by_task, names, 1.0))
        remark = cluster_remark(found.clusters, found.alike)
        reach = _QUANTILE * found.standard_error
        differences = [[limit[0, 1] for limit in pairs.limits((1.0 - _CONFIDENCE) / 2.0)] for pairs in paired]
        limits = np.array([(found.low, found.high), (found.value - reach, found.value + reach), *differences])
        limits = np.where(np.isnan(limits), by_task[0, 1].mean(), limits)  # of equal differences
        missed += (limits[:, 0] > truth + _ROUNDING) | (limits[:, 1] < truth - _ROUNDING)
        width += (limits[:, 1] - limits[:, 0]) / datasets
    row = {"subject": SUBJECT, "cell": cell["name"], "data": f"{cell['kind']}, rate {rate:g}", "runs": cell["count"]}
    row |= {"tasks": items, "algorithms": 1, "nominal": 1.0 - _CONFIDENCE}
    row["datasets"] = datasets
    return pd.DataFrame(
        row
        | {"method": method, "failures": missed[place], "width": width[place]}
        | {"target": "difference on the same items" if method.startswith("paired") else "mean over items"}
        | {"recommended": place in (0, 2) and not remark, "remark": remark if place in (0, 2) else ""}
        for place, method in enumerate(_METHODS)
    )
