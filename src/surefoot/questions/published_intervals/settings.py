r"""Intervals of the mean over tasks, from published means and deviations.

formula : $\bar\mu \mp t_{N-1} \sqrt{\frac1M \sum_m s_m^2 / N}$, as published, with the quantile $t_{N-1}$ of Student's
    distribution at $1 - \alpha/2$; for independent tasks, with the half width divided by $\sqrt M$.
assumes : Means and standard deviations were printed for the same number of runs of each task, and scores are nearly
    normal.
guarantee : Exact for normal scores of equal variances; else approximate.
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
