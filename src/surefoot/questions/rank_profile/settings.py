"""How close each method is to the best on how many tasks, by a rank test of runs."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    Thresholds,
)


class Settings(QuestionSettings):
    """How close each method is to the best on how many tasks, by a rank test of runs."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["rank_profile"] = "rank_profile"
    thresholds: Thresholds
