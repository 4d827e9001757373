"""cover: how often each method's intervals miss, how wide they are and what they tell apart, by sample size.

`cover_block` computes the intervals of a block of data sets; `summarize_coverage` joins the blocks. Blocks may be
computed anywhere in any order, and more of them added later.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.choices import check_choice
from surefoot.statistics.coverage.data_sets import data_sets
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.estimation import ESTIMATORS, SCORE_METHODS, VARIANTS, Options, variants_of
from surefoot.statistics.runs.samples import Samples
from surefoot.streams import stream_key


class CoverageOptions(NamedTuple):
    """What a study of coverage fixes.

    design : "resample" or "cut"; see `surefoot.statistics.coverage.data_sets`
    seed : of the data sets and of what the methods draw
    confidence : of the intervals of all algorithms together
    replicates : of the methods that resample
    variants : which of "as_published" and "corrected"; methods that were never published have the second alone
    start : for "cut", number of the run at which data set number 0 begins; see `data_sets.cut_start`
    bounds : for pbp_known_bounds, (low, high) of the scores by environment
    """

    design: str = "resample"
    seed: int = 0
    confidence: float = 0.95
    replicates: int = 1000
    variants: tuple[str, ...] = VARIANTS
    start: int = 0
    bounds: dict[str, tuple[float, float]] | None = None


def pool_scores(pools: Iterable[Samples]) -> pd.DataFrame:
    """The aggregate scores of the pools themselves, which are the truth where data sets are drawn from them.

    Parameters
    ----------
    pools : samples of the same algorithms, in one environment or several each, which are taken one after another

    Returns
    -------
    columns algorithm, score
    """
    found = list(map(_algorithms_and_payoffs, pools))  # each forgotten before the next is read
    algorithms = found[0][0]
    return pd.DataFrame({"algorithm": algorithms, "score": play(np.concatenate([z for _, z in found], axis=1)).scores})


def _algorithms_and_payoffs(samples: Samples) -> tuple[tuple[str, ...], Floats]:
    return samples.algorithms, payoffs(samples)


def cover_block(
    pools: pd.DataFrame, methods: list[str], size: int, first: int, count: int, options: CoverageOptions
) -> pd.DataFrame:
    """Intervals of several methods for data sets number first, ..., first + count - 1 of `size` runs a pair.

    Parameters
    ----------
    pools : columns algorithm, environment, score, cell, and run where data sets are cut; one row per run
    methods : of `surefoot.statistics.intervals.estimation.SCORE_METHODS`

    Returns
    -------
    columns dataset, size, method, variant, algorithm, score, low, high. A row does not depend on the block it is in,
    nor on the other methods.

    Raises
    ------
    ValueError : see `data_sets.data_sets`; an unknown method or variant; what a method cannot do, such as the
        standard deviation of one run
    """
    for method in methods:
        check_choice("cover", method, SCORE_METHODS)
    for variant in options.variants:
        check_choice("cover", variant, VARIANTS)
    parts = []
    drawn = data_sets(pools, options.design, options.seed, size, first, count, options.start)
    for number, samples in enumerate(drawn, first):
        scores = play(payoffs(samples)).scores
        for method, variant, low, high in _intervals(samples, methods, size, number, options):
            columns = {"dataset": number, "size": size, "method": method, "variant": variant}
            parts.append(columns | {"algorithm": samples.algorithms, "score": scores, "low": low, "high": high})
    return _table(parts)


def _intervals(
    samples: Samples, methods: Iterable[str], size: int, number: int, options: CoverageOptions
) -> Iterator[tuple[Any, ...]]:
    """(method, variant, low, high) of all methods in all variants that they have.

    What a method draws is keyed by the data set too, or else data sets would not be independent.
    """
    seed = int(stream_key(options.seed, "cover", size, number)[0])
    for method in methods:
        variants = tuple(v for v in options.variants if v in variants_of(method)) or variants_of(method)
        settings = Options(
            delta=1.0 - options.confidence,
            seed=seed,
            replicates=options.replicates,
            variant=variants[0],
            threads=1,
            points=0,
            progress=None,
            bounds=options.bounds,
        )
        found = import_module(ESTIMATORS[method]).limits(samples, method, settings, variants)
        for variant in variants:
            yield method, variant, *found[variant]


def _table(parts: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One table of parts whose columns are single values or one value an algorithm."""
    if not parts:
        raise HintedError("cover", "a block without data sets or methods", "`count` is at least 1")
    n = len(parts[0]["algorithm"])
    columns = {}
    for name, value in parts[0].items():
        values = [part[name] for part in parts]
        columns[name] = np.repeat(values, n) if np.ndim(value) == 0 else np.concatenate(values)
    return pd.DataFrame(columns)
