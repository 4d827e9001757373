"""What studies of other numbers of runs would find, from a pilot."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Lifts,
    Metrics,
    QuestionSettings,
    Replicates,
    Sizes,
)


class Settings(QuestionSettings):
    """What studies of other numbers of runs would find, from a pilot."""

    stage: ClassVar[str] = "cover"
    asked_in: ClassVar[str] = "how_many_runs"
    kind: Literal["run_plans"] = "run_plans"
    metrics: Metrics = ("iqm", "median")
    sizes: Sizes = (3, 5, 10, 20, 50)
    lifts: Lifts = (0, 10, 25, 50)
    datasets: DataSets = 100
    algorithms: Algorithms | None = None
    replicates: Replicates = 300
