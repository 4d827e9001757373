"""The success rate of each algorithm in each environment."""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The success rate of each algorithm in each environment, of runs with several trials each.

    The interval is of runs and their beta-binomial numbers of successes: trials of one run are not independent.
    """

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    takes: ClassVar[str] = "outcomes"
    kind: Literal["success_rates"] = "success_rates"
