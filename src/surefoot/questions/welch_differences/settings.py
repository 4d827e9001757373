"""On how many tasks the better of two methods differs from the other, by Welch's test of published means.

formula : The number of tasks on which [Welch's test](#sec-question-welch_profile) that the better of two methods is
    better has a one-sided p-value below 5 %, 1 % and 0.1 %.
assumes : Runs are independent and scores nearly normal.
guarantee : Approximate, for each test alone; as the better method is chosen by the same numbers, the true level is
    twice the stated one.
in a paper : On each task we test which of {algorithms} is better by Welch's test of the published means and standard
    deviations, and count the tasks on which they differ at 5 %, 1 % and 0.1 %.
not for : Claims about all tasks at once.
source : recht2018; welch1947
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    TheAlgorithms,
)


class Settings(QuestionSettings):
    """On how many tasks the better of two methods differs from the other, by Welch's test of published means."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "means"
    instead: ClassVar[str] = "rank_profile is of runs"
    kind: Literal["welch_differences"] = "welch_differences"
    algorithms: TheAlgorithms
