r"""What runs with the same number share across tasks.

formula : With $r_{mn}$ the rank of run $n$ among the $N$ runs of task $m$, less $(N + 1) / 2$, the inflation is
    $\sum_n (\sum_m r_{mn})^2 / \sum_{m,n} r_{mn}^2 = M W$ with Kendall's $W$: the variance of the runs' mean ranks
    divided by what independent tasks would give. The correlation is $(M W - 1) / (M - 1)$.
assumes : Runs carry the same number on all tasks where they share anything.
guarantee : The finding's test permutes runs within tasks and is exact, whatever the scores. Friedman's statistic and
    its p-value, shown beside it, are asymptotic, and the limits of the inflation approximate.
in a paper : We test whether runs with the same number share anything across tasks[, for {algorithms}], with [{sizes}
    runs] of each task.
not for : Effects that are too rare to show in the given runs.
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
    looks_at_axes: ClassVar[bool] = False  # runs that share effects across tasks look like tasks
    kind: Literal["run_effects"] = "run_effects"
    sizes: OneSize = (10,)
    algorithms: Algorithms | None = None
