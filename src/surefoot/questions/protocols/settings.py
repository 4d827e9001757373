"""What fewer runs would have shown under several protocols of evaluation."""

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
