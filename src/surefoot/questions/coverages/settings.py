"""How often intervals of metrics contain the truth, by number of runs."""

from typing import ClassVar, Literal

from pydantic import model_validator

from surefoot.errors import HintedError
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
    equal_runs: ClassVar[bool] = True
    kind: Literal["coverages"] = "coverages"
    metrics: Metrics
    methods: Methods
    sizes: Sizes
    replacement: Replacement
    datasets: DataSets
    algorithms: Algorithms | None = None
    levels: Levels = ()
    replicates: Replicates | None = None

    @model_validator(mode="after")
    def _levels_have_their_method(self) -> "Settings":
        if self.levels and "percentile" not in self.methods:
            what = "levels are of the percentile interval, which methods leaves out"
            raise HintedError("", what, "methods: [percentile]")
        return self
