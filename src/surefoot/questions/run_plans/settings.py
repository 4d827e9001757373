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
    metrics: Metrics
    sizes: Sizes
    lifts: Lifts
    datasets: DataSets
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
