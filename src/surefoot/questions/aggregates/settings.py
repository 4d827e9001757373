"""Metrics of all tasks together, with intervals."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Methods,
    Metrics,
    QuestionSettings,
    Replicates,
    Resampled,
)


class Settings(QuestionSettings):
    """Metrics of all tasks together, with intervals."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["aggregates"] = "aggregates"
    metrics: Metrics = ("median", "iqm", "mean", "optimality_gap")
    algorithms: Algorithms | None = None
    methods: Methods = ("percentile",)
    resampled: Resampled = "runs"
    replicates: Replicates | None = None
