"""Mean, spread and range of metrics of fewer runs.

formula : Mean, standard deviation, and 2.5 % and 97.5 % quantiles of a metric over data sets of $N$ runs, drawn with
    replacement from the given ones.
assumes : The given runs represent all runs.
guarantee : None: it shows what studies of $N$ runs would have found.
in a paper : We draw [{datasets} subsamples] each of [{sizes} runs][ of {algorithms}], {resampled}, and report the mean,
    the standard deviation and the 2.5 % and 97.5 % quantiles of the {metrics}.
not for : An interval of the true value: the range is around that of the given runs.
source : agarwal2021, section 3 and figures 2 and 3
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Metrics,
    QuestionSettings,
    ResampledRuns,
    Sizes,
)


class Settings(QuestionSettings):
    """Mean, spread and range of metrics of fewer runs."""

    stage: ClassVar[str] = "cover"
    kind: Literal["subsamples"] = "subsamples"
    metrics: Metrics
    sizes: Sizes
    datasets: DataSets
    algorithms: Algorithms | None = None
    resampled: ResampledRuns = "whole_runs"
