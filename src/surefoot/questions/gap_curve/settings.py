"""The optimality gap below each of many targets."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    QuestionSettings,
    Thresholds,
)


class Settings(QuestionSettings):
    """The optimality gap below each of many targets."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["gap_curve"] = "gap_curve"
    thresholds: Thresholds
    algorithms: Algorithms | None = None
