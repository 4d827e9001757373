r"""Which improvements fewer runs would have shown.

formula : The median and the 2.5 % and 97.5 % quantiles of $100\, (T((1 + l / 100)\, X^*) / T(Y^*) - 1)$ over pairs of
    data sets of $N$ runs, both drawn with replacement from one algorithm: a known improvement of $l$ percent.
assumes : The given runs represent all runs, and a lift multiplies every score.
guarantee : None: it shows which improvements studies of $N$ runs would have seen.
in a paper : We draw [{datasets} pairs of subsamples] each of [{sizes} runs][ of {algorithms}], {resampled}, raise one
    of each pair by [{lifts} percent], and report the improvements in the {metrics} that they show.
not for : Scores around 0 or below, which a lift does not raise.
source : agarwal2021, figure 4
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Lifts,
    Metrics,
    QuestionSettings,
    ResampledRuns,
    Sizes,
)


class Settings(QuestionSettings):
    """Which improvements fewer runs would have shown."""

    stage: ClassVar[str] = "cover"
    kind: Literal["lifts"] = "lifts"
    metrics: Metrics
    lifts: Lifts
    sizes: Sizes
    datasets: DataSets
    algorithms: Algorithms | None = None
    resampled: ResampledRuns = "whole_runs"
