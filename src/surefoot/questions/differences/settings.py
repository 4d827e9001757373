"""What differences between two algorithms would have shown with fewer runs.

formula : The 2.5 % and 97.5 % quantiles of $T(X^*) - T(Y^*)$ over pairs of data sets of $N$ runs, drawn with
    replacement from those of X and of Y.
assumes : The given runs represent all runs.
guarantee : None: it shows what studies of $N$ runs would have found.
in a paper : We draw [{datasets} pairs of subsamples] each of [{sizes} runs] of two algorithms[ ({pairs})], {resampled},
    and report the differences in the {metrics} that they show.
not for : Comparing two algorithms: ask `pairwise_differences`.
source : agarwal2021, figure A.15
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    DataSets,
    Metrics,
    Pairs,
    QuestionSettings,
    ResampledRuns,
    Sizes,
)


class Settings(QuestionSettings):
    """What differences between two algorithms would have shown with fewer runs."""

    stage: ClassVar[str] = "cover"
    kind: Literal["differences"] = "differences"
    metrics: Metrics
    pairs: Pairs
    sizes: Sizes
    datasets: DataSets
    resampled: ResampledRuns = "whole_runs"
