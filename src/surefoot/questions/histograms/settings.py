"""The scores of one algorithm on each task, counted in bins."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Bins,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """The scores of one algorithm on each task, counted in bins."""

    stage: ClassVar[str] = "estimate"
    one_algorithm: ClassVar[bool] = True
    kind: Literal["histograms"] = "histograms"
    bins: Bins
    algorithms: Algorithms | None = None
