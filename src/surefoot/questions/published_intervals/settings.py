r"""Intervals of the mean over tasks, from published means and deviations.

formula : $\bar\mu \mp t_{N-1} \sqrt{\frac1M \sum_m s_m^2 / N}$, with the mean $\bar\mu$ of the tasks' means and
    Student's $1 - \alpha/2$ quantile $t_{N-1}$; for independent tasks, the half width is divided by $\sqrt M$.
assumes : Equally many runs of each task, with nearly normal scores.
guarantee : At least the stated confidence for normal scores: as published, whatever tasks share; with the half width
    divided, if tasks are independent. Usually wider than needed.
interval : intervals by Student's distribution
in a paper : From published means and standard deviations we compute {intervals} of the mean over tasks[ for
    {algorithms}].
not for : Runs that you have: resampling them assumes less.
source : agarwal2021, figure 11; student1908
"""

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
