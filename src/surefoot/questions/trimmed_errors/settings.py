"""The errors of trimmed means of fewer runs.

formula : The mean of $(T_p(X^*) - T_p(X))^2$ over data sets $X^*$ of $N$ runs, drawn with replacement, where $T_p$ is
    the mean of all scores without the fraction $p$ at each end.
assumes : The given runs are the population.
guarantee : Exact up to the error of the simulation.
in a paper : We draw [{datasets} subsamples] of [{sizes} runs][ of {algorithms}] and report the mean squared error of
    trimmed means that cut [the fractions {fractions}] from each end.
not for : Choosing the fraction after seeing the results: it changes what is estimated.
source : agarwal2021, figure A.16
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Fractions,
    OneSize,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """The errors of trimmed means of fewer runs."""

    stage: ClassVar[str] = "cover"
    equal_runs: ClassVar[bool] = True
    kind: Literal["trimmed_errors"] = "trimmed_errors"
    fractions: Fractions
    sizes: OneSize
    datasets: DataSets
    algorithms: Algorithms | None = None
