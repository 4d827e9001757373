r"""The mean score of each algorithm in each environment.

formula : $\bar x \mp t_{N-1}\, s / \sqrt N$ with the $1 - \alpha/2$ quantile $t_{N-1}$ of Student's distribution.
assumes : Runs are independent and scores nearly normal.
guarantee : Exact for normal scores, for each mean alone.
interval : intervals by Student's distribution
in a paper : We report the mean score of each algorithm in each environment, with {intervals}.
not for : Few runs of skewed scores, or where some fail: the interval is too narrow. All environments at once: at 95 %,
    one in twenty intervals misses.
source : student1908
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The mean score of each algorithm in each environment, in the units of the scores."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    kind: Literal["task_means"] = "task_means"
