"""Metrics along the training, with bands."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

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
    instead: ClassVar[str] = "a source of the kind learning_curves makes such a table of your own"
    kind: Literal["sample_efficiency"] = "sample_efficiency"
    metrics: Metrics = ("iqm",)
    algorithms: Algorithms | None = None
    band: Annotated[
        Literal["pointwise", "simultaneous"],
        Field(
            description="What a band is to hold: each step on its own, by percentiles, which are too narrow for few "
            "runs; or the whole curve at once."
        ),
    ] = "pointwise"
    replicates: Replicates | None = None
