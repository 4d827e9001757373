"""How often intervals of the mean of a task contain the truth, by number of runs."""

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
