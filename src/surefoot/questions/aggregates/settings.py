"""Metrics of all tasks together, with intervals.

formula : One metric of all $x_{mn}$, the normalized score of run $n$ of task $m$; its replicates come from drawing
    $N_m$ runs of each task $m$ with replacement, and an interval method turns them into limits.
assumes : Runs are independent of each other, within a task and across tasks. Tasks are fixed: the interval says
    nothing of other tasks.
guarantee : That of the interval method, for each metric and algorithm separately; the intervals of a figure are not
    simultaneous.
in a paper : We report the {metrics} over all tasks[ for {algorithms}], with {intervals}.
not for : Deciding which algorithm is better by whether two intervals overlap: `pairwise_differences` answers that.
    Runs that share luck across tasks, unless whole runs are resampled.
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
)


class Settings(QuestionSettings):
    """Metrics of all tasks together, with intervals."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["aggregates"] = "aggregates"
    metrics: Metrics = ("median", "iqm", "mean", "optimality_gap")
    algorithms: Algorithms | None = None
    methods: Methods = ("percentile",)
    resampled: Resampled = "runs"
    replicates: Replicates | None = None
