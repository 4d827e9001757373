"""Densities of a metric of fewer runs."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    OneMetric,
    QuestionSettings,
    ResampledRuns,
    SizesOf,
)


class Settings(QuestionSettings):
    """Densities of a metric of fewer runs."""

    stage: ClassVar[str] = "cover"
    kind: Literal["subsample_densities"] = "subsample_densities"
    metrics: OneMetric
    algorithms: Algorithms
    sizes_of: SizesOf
    datasets: DataSets
    resampled: ResampledRuns = "whole_runs"
