r"""How often intervals of the mean of a task contain the truth, by number of runs.

formula : The share $\hat p$ of data sets of $N$ runs of a task, drawn without replacement, whose percentile interval
    holds the mean of all given runs, with its standard error $\sqrt{\hat p (1 - \hat p) / D}$ for $D$ data sets.
assumes : The given runs are the population.
guarantee : Exact up to the error of the simulation while $N$ is a small part of the runs: a data set that is a good
    part of the population holds the truth too often.
interval : percentile intervals of the bootstrap
in a paper : We estimate how often {intervals} contain the mean of all given runs of a task[ of {algorithms}], from
    [{datasets} data sets] each of [{sizes} runs], drawn without replacement.
not for : A handful of given runs.
source : agarwal2021, figure 6 and appendix A.5
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
    one_algorithm: ClassVar[bool] = True
    equal_runs: ClassVar[bool] = True
    kind: Literal["task_coverages"] = "task_coverages"
    sizes: Sizes
    datasets: DataSets
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
