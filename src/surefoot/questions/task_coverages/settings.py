r"""How often intervals of the mean of a task contain the truth, by number of runs.

formula : The share $\hat p$ of $D$ data sets of $N$ runs of a task, drawn without replacement, whose percentile
    interval contains the mean of all given runs, with standard error $\sqrt{\hat p (1 - \hat p) / D}$.
assumes : The given runs are the population.
guarantee : Exact up to simulation error while $N$ is a small part of the runs; else the truth is contained too often.
interval : percentile intervals of the bootstrap
in a paper : We estimate how often {intervals} contain the mean of all given runs of a task[ of {algorithms}], from
    [{datasets} data sets] each of [{sizes} runs], drawn without replacement.
not for : A handful of runs.
source : agarwal2021, figure A.18
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    QuestionSettings,
    Replicates,
    Sizes,
)


class Settings(QuestionSettings):
    """How often intervals of the mean of a task contain the truth, by number of runs."""

    stage: ClassVar[str] = "cover"
    pools_tasks: ClassVar[bool] = False
    one_algorithm: ClassVar[bool] = True
    equal_runs: ClassVar[bool] = True
    kind: Literal["task_coverages"] = "task_coverages"
    sizes: Sizes
    datasets: DataSets
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
