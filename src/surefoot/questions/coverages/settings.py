r"""How often intervals of metrics contain the truth, by number of runs.

formula : The share $\hat p$ of $D$ data sets of $N$ whole runs, drawn from the given ones, whose interval contains the
    metric of all of these, with standard error $\sqrt{\hat p (1 - \hat p) / D}$; and the mean width. An interval that
    does not exist contains nothing.
assumes : The given runs are the population.
guarantee : Exact up to simulation error if drawn with replacement. Without, data sets that are a large part of the runs
    contain the truth too often.
in a paper : We estimate how often {intervals} contain the {metrics} of all given runs[ of {algorithms}][, for
    percentile intervals also at the nominal levels {levels}]. This takes [{datasets} data sets] each of [{sizes} whole
    runs], drawn {replacement}.
not for : A handful of runs.
source : agarwal2021, figures 6 and A.19
"""

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
