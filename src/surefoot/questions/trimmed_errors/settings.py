"""The errors of trimmed means of fewer runs."""

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
