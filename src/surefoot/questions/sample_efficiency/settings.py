r"""Metrics along the training, with bands.

formula : A metric at each step; runs are resampled whole. The simultaneous band is equally far from the curve at all
    steps, by $\kappa\, q\, s$ with the greatest of the replicates' standard deviations, $s$, as for
    [curve differences](#sec-question-curve_differences). Where it would be wider than all scores that were seen, it is
    not drawn.
assumes : Runs are independent, within a task and across tasks, and all were evaluated at the same steps. Where the
    means of runs over the steps show that they are [shared by tasks](#sec-question-run_effects), the simultaneous band
    takes whole runs for independent instead.
guarantee : Asymptotic: percentile bands for one step at a time, `band: simultaneous` for the whole curve. At 95 %, with
    3 to 10 runs per task, the first held a step in 51 to 99 % of simulated studies, the second the whole curve in 94 to
    100 %; among them are runs of one and of five tasks that improve all at once, each at another step. Where a fifth of
    the runs fail, the second missed up to 28 % of curves of means, and at most 5 % of curves of IQMs. Where tasks share
    runs, it missed at most 5 % if that is declared, and up to 26 % (3 runs of 5 tasks) to 5 % (10 runs of 26) if the
    runs have to show it.
interval : bands of percentiles
with band pointwise : The percentile bands are asymptotic and hold for one step at a time.
with band simultaneous : The bands are for the whole curve, asymptotically: equally far from it at all steps, as many of
    its greatest standard error as hold the wanted fraction of whole resampled curves, enlarged by Student's
    distribution for few runs.
in a paper : We report the {metrics}[ of {algorithms}] over the course of training, with {band}
    {intervals}[, {shared_runs}].
not for : Where two curves part: ask `curve_differences`.
source : agarwal2021, figures 10 and A.20; montielolea2019
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import (
    Algorithms,
    Metrics,
    QuestionSettings,
    Replicates,
    SharedRuns,
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
            description="What a band contains with the stated confidence: the value at each single step, by "
            "percentiles, which are too narrow for few runs; or the whole curve at once."
        ),
    ] = "pointwise"
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
