"""What differences between two algorithms fewer runs would have shown."""

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
    """What differences between two algorithms fewer runs would have shown."""

    stage: ClassVar[str] = "cover"
    kind: Literal["differences"] = "differences"
    metrics: Metrics
    pairs: Pairs
    sizes: Sizes
    datasets: DataSets
    resampled: ResampledRuns = "whole_runs"
