r"""How close each method is to the best, and on how many tasks, by a rank test of runs.

formula : $\rho_m(\tau)$, the fraction of tasks on which $-\log_{10}\, p < \tau$, with the one-sided p-value $p$ of the
    rank test that the best method there beats method $m$: the share of all ways to choose its runs among those of both
    that have at least its sum of mid-ranks; for more than 40 runs, the normal tail with continuity correction. The best
    method has $-\log_{10}\, p = 0$.
assumes : Runs are independent. The best method of a task is the one with the highest mean.
guarantee : Each test is exact for up to 40 runs of both; as the best method is chosen by the same runs, p-values are no
    error rates.
in a paper : On each task we compare each method with the best one by a one-sided rank test of runs, and report the
    fraction of tasks on which $-\log_{10}\, p$ is below [thresholds of {thresholds}].
not for : The size of a difference, and few runs: with $N$ and $K$ of them, no distance exceeds $\log_{10}
    \binom{N+K}{N}$.
source : recht2018; dolan2002; mann1947
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    QuestionSettings,
    Thresholds,
)


class Settings(QuestionSettings):
    """How close each method is to the best, and on how many tasks, by a rank test of runs."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
    kind: Literal["rank_profile"] = "rank_profile"
    thresholds: Thresholds
