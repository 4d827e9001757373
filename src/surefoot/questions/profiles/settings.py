r"""The fraction of runs, or of tasks, that score above each threshold, with bands.

formula : $F(t) = \frac1M \sum_m \frac{1}{N_m} \sum_n \mathbf 1[x_{mn} > t]$, or $\frac1M \sum_m \mathbf 1[\bar x_m >
    t]$ of average scores. The pointwise band has percentile limits. The simultaneous band of runs has the least and the
    greatest mean of fractions $p_m$ with $\sum_m n_m\, \mathrm{KL}(f_m, p_m) \le b$, where $f_m$ is the fraction of
    task $m$'s runs above $t$, $n_m$ their effective number, and $b$ a budget for all thresholds together. That of
    average scores counts the tasks whose Student limits, with variances moderated across tasks and all holding
    together, lie above $t$.
assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
    tasks](#sec-question-run_effects), the simultaneous band of runs takes whole runs for independent instead.
guarantee : The pointwise band is asymptotic, for one threshold at a time; with 3 to 10 runs per task, that of runs at
    95 % held a threshold in 43 to 95 % of simulated tables. The simultaneous band held the whole curve in 92 to 100 %,
    but that of average scores only in 50 to 94 % where a tenth of the runs collapse.
interval : pointwise percentile bands and, paler, simultaneous bands
in a paper : We report performance profiles[ of {algorithms}], which give {profiles}, at [thresholds of {thresholds}],
    with {intervals}[, {shared_runs}].
not for : Profiles of average scores from few runs, which are biased.
source : agarwal2021, section 4.2 and appendix A.6; dolan2002; owen1995; smyth2004
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Profiles,
    QuestionSettings,
    Replicates,
    Resampled,
    SharedRuns,
    Thresholds,
    Ticks,
)


class Settings(QuestionSettings):
    """The fraction of runs, or of tasks, that score above each threshold, with bands."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["profiles"] = "profiles"
    thresholds: Thresholds
    algorithms: Algorithms | None = None
    ticks: Ticks = ()
    profiles: Profiles = ("run_scores",)
    resampled: Resampled = "runs"
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
