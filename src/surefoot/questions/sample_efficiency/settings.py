"""Metrics along the training, with bands.

formula : A metric of the scores at each step of the training; whole runs are resampled, each at all steps.
assumes : Runs are independent of each other, within a task and across tasks. All runs were evaluated at the same
    steps.
guarantee : Percentile bands of each step are asymptotic and hold for one step at a time; a band of the whole curve is
    there to ask for.
not for : Telling where two curves part by where their bands do.
source : agarwal2021, section 4.4 and appendix A.20
"""

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
