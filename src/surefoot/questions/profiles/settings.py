r"""The fraction of runs, or of tasks, that score above each threshold, with bands.

formula : $F(t) = \frac1M \sum_m \frac{1}{N_m} \sum_n \mathbf 1[x_{mn} > t]$; the profile of average scores has $\frac1M
    \sum_m \mathbf 1[\bar x_m > t]$. The pointwise band has the percentile limits of each threshold. The simultaneous
    one of runs has the least and the greatest mean of fractions $p_m$ whose likelihood, given the fractions of runs
    above $t$, is not too small for the thresholds together; that of average scores counts the tasks whose limits by
    Student's distribution, which hold together, are above $t$.
assumes : Runs are independent of each other, within a task and across tasks.
guarantee : The pointwise band is asymptotic and holds at one threshold at a time. The simultaneous band is for the
    whole curve, and held it in 92 to 100 % of simulated tables at 95 %, but in 80 to 93 % where a tenth of the runs
    collapse.
interval : pointwise percentile bands and, paler, simultaneous bands
in a paper : We report performance profiles[ of {algorithms}], which give {profiles}, at [thresholds of {thresholds}],
    with {intervals}.
not for : Profiles of average scores from few runs, which are biased.
source : agarwal2021, section 4.2 and appendix A.6; dolan2002; owen1995
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Profiles,
    QuestionSettings,
    Replicates,
    Resampled,
    Thresholds,
    Ticks,
)


class Settings(QuestionSettings):
    """The fraction of runs, or of tasks, that score above each threshold, with bands."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["profiles"] = "profiles"
    thresholds: Thresholds
    algorithms: Algorithms | None = None
    ticks: Ticks = ()
    profiles: Profiles = ("run_scores",)
    resampled: Resampled = "runs"
    replicates: Replicates | None = None
