"""The mean score of each algorithm in each environment."""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The mean score of each algorithm in each environment, in the units of the scores."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    kind: Literal["task_means"] = "task_means"
