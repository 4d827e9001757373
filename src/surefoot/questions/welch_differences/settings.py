"""On how many tasks the best of two methods differs from the other, by Welch's test of published means."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    TheAlgorithms,
)


class Settings(QuestionSettings):
    """On how many tasks the best of two methods differs from the other, by Welch's test of published means."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "rank_profile is of runs"
    kind: Literal["welch_differences"] = "welch_differences"
    algorithms: TheAlgorithms
