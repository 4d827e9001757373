"""Metrics along the training, with bands."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Metrics,
    QuestionSettings,
    Replicates,
)


class Settings(QuestionSettings):
    """Metrics along the training, with bands."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "curves"
    instead: ClassVar[str] = "the function surefoot.sample_efficiency takes your own curves"
    kind: Literal["sample_efficiency"] = "sample_efficiency"
    metrics: Metrics = ("iqm",)
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
