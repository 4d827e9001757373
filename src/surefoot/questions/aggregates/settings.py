"""Metrics of all tasks together, with intervals.

formula : A metric of all scores $x_{mn}$; its replicates are the metric of $N_m$ runs of each task drawn with
    replacement, which an [interval method](#sec-resampled) turns into limits.
assumes : Runs are independent, within a task and across tasks; tasks are fixed. Where runs are [shared by
    tasks](#sec-question-run_effects), Student's interval takes whole runs for independent instead.
guarantee : That of the interval method, for each metric and algorithm alone.
in a paper : We report the {metrics} over all tasks[ for {algorithms}], with {intervals}[, {shared_runs}].
not for : Comparing algorithms by whether intervals overlap: ask `pairwise_differences`. Runs that share luck across
    tasks, by other methods than Student's.
source : agarwal2021, sections 4.1 and 4.3; efron1993, chapters 13 and 14
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Methods,
    Metrics,
    QuestionSettings,
    Replicates,
    Resampled,
    SharedRuns,
)


class Settings(QuestionSettings):
    """Metrics of all tasks together, with intervals."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["aggregates"] = "aggregates"
    metrics: Metrics = ("median", "iqm", "mean", "optimality_gap")
    algorithms: Algorithms | None = None
    methods: Methods = ("student",)
    resampled: Resampled = "runs"
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
