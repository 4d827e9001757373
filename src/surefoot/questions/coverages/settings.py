"""How often intervals of metrics contain the truth, by number of runs."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Levels,
    Methods,
    Metrics,
    QuestionSettings,
    Replacement,
    Replicates,
    Sizes,
)


class Settings(QuestionSettings):
    """How often intervals of metrics contain the truth, by number of runs."""

    stage: ClassVar[str] = "cover"
    one_algorithm: ClassVar[bool] = True
    kind: Literal["coverages"] = "coverages"
    metrics: Metrics
    methods: Methods
    sizes: Sizes
    replacement: Replacement
    datasets: DataSets
    algorithms: Algorithms | None = None
    levels: Levels = ()
    replicates: Replicates | None = None
