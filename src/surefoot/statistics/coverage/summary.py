"""Failure rate, significance rate and width of intervals over many data sets, each with its Monte Carlo error."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Booleans, Floats

_GROUP = ["method", "variant", "size"]


def summarize_coverage(blocks: pd.DataFrame, truth: pd.DataFrame | None = None) -> pd.DataFrame:
    """How often the intervals of `cover_block` fail, by method, variant and size.

    Parameters
    ----------
    blocks : columns dataset, size, method, variant, algorithm, score, low, high; the rows of any number of blocks
    truth : columns algorithm, score, the true scores; None where they are not known

    Returns
    -------
    one row for each method, variant and size, with columns method, variant, size, datasets and

    failure_rate : over all ordered pairs of different data sets, how often the score of any algorithm in the one lies
        strictly outside its interval in the other (Jordan et al. 2020, appendix H). That is not a rate of
        missing the truth: a score that errs by chance counts against an interval that holds the truth.
    failure_rate_truth : how often the true score of any algorithm lies outside its interval (empty without a truth)
    significance : proportion of pairs of algorithms whose intervals are apart, over all data sets; as in the paper,
        an algorithm whose own interval is upside down (low > high) counts as a pair
    wrong_order : proportion of pairs of algorithms whose intervals are apart the wrong way round (empty without a
        truth)
    mean_width : of the intervals, over algorithms and data sets

    and behind each its standard error over data sets, named with `_error`. That of failure_rate, a mean over pairs,
    is the jackknife's; the others are means over data sets. An error is exactly 0 where all data
    sets have the same value, as where nothing failed: then a rate that differs by up to 3/datasets is compatible with
    it (95 %), the rule of three.

    Raises
    ------
    ValueError : a row is there twice, algorithms are missing from a data set, or the truth of one is not given
    """
    order = pd.unique(blocks["algorithm"])
    true_scores = None if truth is None else _true_scores(truth, order)
    rows = []
    for group, table in blocks.groupby(_GROUP, sort=False):
        name = dict(zip(_GROUP, group, strict=True))
        score, low, high = _arrays(table, order, name)
        rows.append(name | {"datasets": len(score)} | _measures(score, low, high, true_scores))
    return pd.DataFrame(rows)


def _true_scores(truth: pd.DataFrame, order: Sequence[str]) -> Floats:
    by_name = truth.set_index("algorithm")["score"].reindex(order)
    if by_name.isna().any():
        missing = ", ".join(map(str, by_name.index[by_name.isna()]))
        raise HintedError("cover", f"the true score of {missing} is not given", "`pool_scores` of the same pools")
    return by_name.to_numpy(np.float64)


def _arrays(table: pd.DataFrame, order: Sequence[str], name: Mapping[str, Any]) -> Iterator[Floats]:
    """Scores and limits, float64[datasets, n] each."""
    codes = pd.Index(order).get_indexer(table["algorithm"])
    table = table.iloc[np.lexsort((codes, table["dataset"].to_numpy()))]
    numbers = table["dataset"].to_numpy()
    if (
        len(table) % len(order)
        or not (np.sort(codes) == np.repeat(np.arange(len(order)), len(table) // len(order))).all()
    ):
        raise HintedError("cover", f"{name}: not every data set has a row for each algorithm", "join whole blocks")
    numbers = numbers.reshape(-1, len(order))
    if (numbers != numbers[:, :1]).any() or (np.diff(numbers[:, 0]) == 0).any():
        raise HintedError("cover", f"{name}: a data set is there twice", "join every block once")
    return (table[column].to_numpy(np.float64).reshape(-1, len(order)) for column in ("score", "low", "high"))


def _measures(score: Floats, low: Floats, high: Floats, true_scores: Floats | None) -> dict[str, float]:
    n = score.shape[1]
    pairs = n * (n - 1) / 2
    above = low[:, :, None] > high[:, None, :]
    apart = (above | above.swapaxes(1, 2))[:, *np.triu_indices(n)].sum(axis=1) / pairs
    measures = {"failure_rate": failure_rate(score, low, high)}
    if true_scores is None:
        measures |= {"failure_rate_truth": (np.nan, np.nan), "wrong_order": (np.nan, np.nan)}
    else:
        missed = np.any((true_scores < low) | (true_scores > high), axis=1)
        wrong = (above & (true_scores[:, None] < true_scores[None, :])).sum(axis=(1, 2)) / pairs
        measures |= {"failure_rate_truth": _mean(missed), "wrong_order": _mean(wrong)}
    measures |= {"significance": _mean(apart), "mean_width": _mean((high - low).mean(axis=1))}
    order = ["failure_rate", "failure_rate_truth", "significance", "wrong_order", "mean_width"]
    return {name + end: measures[name][e] for name in order for e, end in enumerate(("", "_error"))}


def _mean(values: Floats | Booleans) -> tuple[float, float]:
    """Mean of one value a data set, and its standard error; of equal values exactly that value and 0."""
    if len(values) < 2:
        return float(np.mean(values)), np.nan
    if (values == values[0]).all():
        return float(values[0]), 0.0
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def failure_rate(score: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """The failure rate over pairs of data sets, and its standard error by the jackknife; nan for too few data sets.

    score, low, high : float64[datasets, n]. The failure rate is a U-statistic of data sets; the jackknife leaves out
    one data set at a time, with all the pairs that it is in (Arvesen 1969).
    """
    count = len(score)
    if count < 2:
        return np.nan, np.nan
    as_score, as_interval = np.zeros(count), np.zeros(count)
    for r in range(count):
        failed = ((score < low[r]) | (score > high[r])).any(axis=1)
        failed[r] = False
        as_interval[r] = failed.sum()
        as_score += failed
    total = as_score.sum()
    rate = total / (count * (count - 1))
    if count < 3:
        return float(rate), np.nan
    without = (total - as_score - as_interval) / ((count - 1) * (count - 2))
    if (without == without[0]).all():
        return float(rate), 0.0
    return float(rate), float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))
