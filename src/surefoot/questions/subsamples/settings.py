"""Mean, spread and range of metrics of fewer runs."""

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
