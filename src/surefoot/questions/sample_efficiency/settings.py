r"""Metrics along the training, with bands.

formula : A metric of the scores at each step of the training; whole runs are resampled, each at all steps. A
    simultaneous band has the narrowest percentile limits of equal tails that hold the wanted fraction of whole
    replicates, with distances from the curve enlarged by $\kappa\, t_{1-\beta} / z_{1-\beta}$: $\beta$ is the tail,
    $t$ and $z$ are quantiles of Student's distribution and of the normal one, and $\kappa$ and the degrees of freedom
    as of [curve differences](#sec-question-curve_differences).
assumes : Runs are independent of each other, within a task and across tasks. All runs were evaluated at the same
    steps.
guarantee : Percentile bands of each step are asymptotic and hold for one step at a time; `band:
    simultaneous` asks for one of the whole curve.
interval : bands of percentiles
with band pointwise : The percentile bands are asymptotic and hold for one step at a time.
with band simultaneous : The bands are for the whole curve, asymptotically: percentile limits of equal tails that hold
    the wanted fraction of whole resampled curves, enlarged by Student's distribution for few runs.
in a paper : We report the {metrics}[ of {algorithms}] over the course of training, with {band} {intervals}.
not for : Telling where two curves part by where their bands do.
source : agarwal2021, figures 10 and A.20
"""

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
