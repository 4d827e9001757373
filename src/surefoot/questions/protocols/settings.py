"""What fewer runs would have shown under several protocols of evaluation.

formula : Metrics of data sets of $N$ runs, drawn with replacement, under each protocol; one reports, on each task, the
    greatest of several means of runs whose settings do not differ.
assumes : The given runs represent all runs.
guarantee : None: it shows what reporting a maximum does.
in a paper : We draw [{datasets} subsamples] each of [{sizes} runs][ of {algorithms}], {resampled}, and report the
    {metrics} under several protocols of evaluation. One of them reports, on each task, the best of [{settings}
    settings] that differ in nothing, each by the mean of [{runs_of_setting} runs].
not for : Estimating an algorithm's score.
source : agarwal2021, figure 5 and appendix A.4
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Metrics,
    NumberOfSettings,
    QuestionSettings,
    ResampledRuns,
    RunsOfSetting,
    Sizes,
)


class Settings(QuestionSettings):
    """What fewer runs would have shown under several protocols of evaluation."""

    stage: ClassVar[str] = "cover"
    equal_runs: ClassVar[bool] = True
    kind: Literal["protocols"] = "protocols"
    metrics: Metrics
    sizes: Sizes
    settings: NumberOfSettings
    runs_of_setting: RunsOfSetting
    datasets: DataSets
    algorithms: Algorithms | None = None
    resampled: ResampledRuns = "whole_runs"
