r"""How often intervals of metrics contain the truth, by number of runs.

formula : The share $\hat p$ of data sets of $N$ whole runs, drawn from the given ones, whose interval holds the metric
    of all given runs, with its standard error $\sqrt{\hat p (1 - \hat p) / D}$ for $D$ data sets; and the intervals'
    mean width. An interval that does not exist does not hold it.
assumes : The given runs are the population, whose metric is the truth.
guarantee : Exact up to the error of the simulation where data sets are drawn with replacement. Drawn without, a data
    set that is a good part of the population holds the truth too often.
in a paper : We estimate how often {intervals} contain the {metrics} of all given runs[ of {algorithms}][, for
    percentile intervals also at the nominal levels {levels}]. This takes [{datasets} data sets] each of [{sizes} whole
    runs], drawn {replacement}.
not for : A handful of runs: a population of few runs differs too much from the true one.
source : agarwal2021, figure 6
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
