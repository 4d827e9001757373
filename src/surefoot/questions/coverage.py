"""Coverage of intervals of scores of the evaluation game."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import Field

from surefoot.errors import InputError
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.question_settings import CoverageInBlocks
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Checked, Items, ItemsOnce, Seed
from surefoot.runs.sections import LARGEST_COUNT, Level, SeveralRuns, Variants, one_of
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.runs.samples import samples_from_runs

_Size = Annotated[int, Field(ge=2, le=1_000_000)]


def check_coverage(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if data sets are to be cut, but runs are too few or not numbered from 0."""
    if settings.design != "cut":
        return
    where = f"{where}.design"
    if not pd.api.types.is_integer_dtype(table["run"]):
        what = f"data sets are cut by run number, but these runs have names such as {table['run'].iloc[0]}"
        raise InputError(where, what, "number the runs from 0, or set design: resample")
    needed = runs_of_all_datasets(settings.sizes, settings.datasets)
    counts = table[table["run"].between(0, needed - 1)].groupby(["algorithm", "environment"], observed=True).size()
    pairs = table[["algorithm", "environment"]].drop_duplicates()
    counts = counts.reindex(pd.MultiIndex.from_frame(pairs), fill_value=0)
    if counts.min() < needed:
        pair = " / ".join(map(str, counts.idxmin()))
        what = f"runs 0 to {needed - 1} are needed to cut all data sets, but {pair} has only {counts.min()} of them"
        raise InputError(where, what, "use fewer data sets, or set design: resample")


@question(
    stage="cover",
    needs="runs",
    section=CoverageInBlocks,
    chart="surefoot.charts.subsample_charts:coverage_chart",
    page_table="surefoot.charts.subsample_charts:coverage_table",
    check=check_coverage,
)
def coverage(
    runs: pd.DataFrame,
    *,
    methods: ItemsOnce[Annotated[str, *one_of(INTERVAL_METHODS)]] = ("pbp_matchings", "pbp", "pbp_t", "bootstrap"),
    sizes: Annotated[ItemsOnce[_Size], Field(examples=["[10, 30, 100]"])],
    datasets: SeveralRuns | Items[_Size] = 100,
    design: Literal["resample", "cut"] = "resample",
    confidence_level: Level = 0.95,
    n_resamples: Annotated[int, Field(ge=2, le=LARGEST_COUNT)] = 1000,
    variants: Variants = ("corrected",),
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate how often intervals of game scores miss the truth, by number of runs.

    Data sets are drawn from the given runs. For each method, the result has the share of data sets on which the
    intervals fail, and the share of pairs of algorithms that they separate.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    methods : list of str, default ["pbp_matchings", "pbp", "pbp_t", "bootstrap"]
        Interval methods for the aggregate scores; see `evaluation_game_intervals`.
    sizes : list of int
        Numbers of runs of each algorithm in each environment in one data set.
    datasets : int or list of int, default 100
        Number of data sets: one number for all sizes, or one for each size.
    design : {"resample", "cut"}, default "resample"
        "resample" draws each data set from the given runs with replacement, so that these are the population. "cut"
        uses consecutive pieces of the given runs, which do not overlap, in the order of the sizes.
    confidence_level : float, default 0.95
        Simultaneous confidence level of all intervals of a method.
    n_resamples : int, default 1000
        Number of resamples of each bootstrap.
    variants : tuple of str, default ("corrected",)
        Variants of the methods: "corrected" follows the text of the paper, "as_published" repeats its program. Methods
        that were not published have only the variant "corrected".
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has one row for each method, variant and size, with columns method, variant, size, datasets,
        failure_rate (over all ordered pairs of different data sets, how often the score of any algorithm in one lies
        strictly outside its interval in the other, as in Jordan et al. 2020, appendix H; this differs from the rate of
        missing the truth, since a score with a large error also counts against an interval that contains the truth),
        failure_rate_truth (how often the true score of any algorithm lies outside its interval), significance
        (proportion of pairs of algorithms whose intervals are disjoint, over all data sets; as in the paper, an
        algorithm whose own interval is reversed, low > high, counts as a pair), wrong_order (proportion of pairs of
        algorithms whose intervals are disjoint in the wrong order) and mean_width (mean width of the intervals over
        algorithms and data sets). Each of these five columns is followed by its standard error over data sets, with the
        suffix `_error` (for failure_rate, the jackknife's). The error is exactly 0 if all data sets have the same
        value, for example if no interval fails. By the rule of three, the data are then compatible with rates that
        differ by up to 3/datasets, at 95 %.

    Notes
    -----
    formula : The share $\hat p$ of $D$ simulated data sets in which some interval of a method misses the score of the
        pool, with standard error $\sqrt{\hat p (1 - \hat p) / (D - 1)}$; the share of pairs of algorithms with disjoint
        intervals; and the mean width. The paper's failure rate takes each data set's scores as the truth for the
        others.
    assumes : The pool of runs is the population; data sets are drawn from it with replacement, or cut from it.
    guarantee : Exact up to simulation error, for populations like the pool.
    not for : Populations with failures too rare to be in the pool.

    References
    ----------
    Jordan et al. 2020, section 6.3 and appendix H
    """
    from surefoot.statistics.coverage.score_coverage import (
        CoverageOptions,
        cover_block,
        pool_scores,
        summarize_coverage,
    )

    parts = []
    start = 0
    for size, number in zip(sizes, numbers_of_datasets(sizes, datasets), strict=True):
        options = CoverageOptions(design, seed, confidence_level, n_resamples, variants, start)
        parts.append(cover_block(runs, list(methods), size, 0, number, options))
        start += size * number if design == "cut" else 0
    return Result(summarize_coverage(pd.concat(parts, ignore_index=True), pool_scores([samples_from_runs(runs)])))


def numbers_of_datasets(sizes: Sequence[int], datasets: int | Sequence[int]) -> list[int]:
    """Return the number of data sets of each size as a list."""
    return [datasets] * len(sizes) if isinstance(datasets, int) else list(datasets)


def runs_of_all_datasets(sizes: Sequence[int], datasets: int | Sequence[int]) -> int:
    """Return the number of runs that are needed to cut the data sets of all sizes."""
    return sum(size * number for size, number in zip(sizes, numbers_of_datasets(sizes, datasets), strict=True))
