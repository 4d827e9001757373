"""How close each method is to the best on how many tasks, by Welch's test of published means."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    TheAlgorithms,
    Thresholds,
)


class Settings(QuestionSettings):
    """How close each method is to the best on how many tasks, by Welch's test of published means."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "rank_profile is of runs"
    kind: Literal["welch_profile"] = "welch_profile"
    algorithms: TheAlgorithms
    thresholds: Thresholds
