r"""What runs with the same number share across tasks.

formula : With the rank $r_{mn}$ of run $n$ among the $N$ of task $m$, less $(N + 1) / 2$, the inflation is $\sum_n
    (\sum_m r_{mn})^2 / \sum_{m,n} r_{mn}^2 = M W$ with Kendall's $W$: the variance of the runs' mean ranks relative to
    independent tasks. The mean correlation of two tasks is $(M W - 1) / (M - 1)$.
assumes : Runs that share anything have the same number on all tasks.
guarantee : The permutation test of the finding is exact, whatever the scores; Friedman's p-value is asymptotic, the
    limits of the inflation approximate.
in a paper : We test whether runs with the same number share anything across tasks[, for {algorithms}], with [{sizes}
    runs] of each task.
not for : Effects too rare to show in the given runs.
source : iman1980; shrout1979
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    OneSize,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """What runs with the same number share across tasks."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
    looks_at_axes: ClassVar[bool] = False  # runs that share effects across tasks look like tasks
    kind: Literal["run_effects"] = "run_effects"
    sizes: OneSize = (10,)
    algorithms: Algorithms | None = None
