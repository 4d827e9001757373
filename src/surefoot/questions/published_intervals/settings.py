"""Intervals of the mean over tasks, from published means and deviations."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """Intervals of the mean over tasks, from published means and deviations."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "aggregates is of runs"
    kind: Literal["published_intervals"] = "published_intervals"
    algorithms: Algorithms | None = None
