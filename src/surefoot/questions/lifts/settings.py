"""Which improvements fewer runs would have shown."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Lifts,
    Metrics,
    QuestionSettings,
    ResampledRuns,
    Sizes,
)


class Settings(QuestionSettings):
    """Which improvements fewer runs would have shown."""

    stage: ClassVar[str] = "cover"
    kind: Literal["lifts"] = "lifts"
    metrics: Metrics
    lifts: Lifts
    sizes: Sizes
    datasets: DataSets
    algorithms: Algorithms | None = None
    resampled: ResampledRuns = "whole_runs"
