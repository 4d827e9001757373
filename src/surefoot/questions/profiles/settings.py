"""Which fraction of runs, or of tasks, scores above each threshold, with bands."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Profiles,
    QuestionSettings,
    Replicates,
    Resampled,
    Thresholds,
    Ticks,
)


class Settings(QuestionSettings):
    """Which fraction of runs, or of tasks, scores above each threshold, with bands."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["profiles"] = "profiles"
    thresholds: Thresholds
    algorithms: Algorithms | None = None
    ticks: Ticks = ()
    profiles: Profiles = ("run_scores",)
    resampled: Resampled = "runs"
    replicates: Replicates | None = None
