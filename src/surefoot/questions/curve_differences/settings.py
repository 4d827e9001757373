r"""By how much one algorithm is better than another over the course of training.

formula : $T_t(X) - T_t(Y) \mp \kappa\, q\, s$ at each step $t$, where $s$ is the greatest of the standard deviations of
    the replicates at all steps. The wanted fraction of replicates stays within $c\, s$ of their mean at all steps of
    all pairs, where $c$ is at least the normal quantile of a single step, and $q$ is Student's quantile at $\Phi(c)$.
    Over tasks with several runs, $\kappa^2$ is the mean of $N_m / (N_m - 1)$, and the degrees of freedom are
    $\sum_m (N_m - 1)$ of the algorithm with fewer, with several tasks times $1/2$ for the IQM or $2 / M$ for the
    median, at least 1. A band that would be wider than all differences of scores is not drawn.
assumes : Runs are independent, within a task and across tasks; each is resampled whole, at all steps. Where runs are
    [shared by tasks](#sec-question-run_effects), replicates and degrees of freedom are those of whole runs.
guarantee : Asymptotic, for all steps of all pairs together; with few runs, only bands of [single
    curves](#sec-question-sample_efficiency) were measured. Where tasks share runs, differences of two equal algorithms
    were missed in at most 5 % of simulated studies if that is declared, and in up to 13 % (3 runs of 5 tasks) to 5 %
    (10 runs of 26) if the runs have to show it.
interval : simultaneous bands by Student's distribution
in a paper : We report the difference in the {metrics} between each pair of algorithms[ among {algorithms}] along the
    training, with {intervals}[, {shared_runs}].
not for : The first step at which two curves differ: the band says where they do, not since when.
source : montielolea2019
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, OneMetric, QuestionSettings, Replicates, SharedRuns


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one along the training, with bands that hold together."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "curves"
    instead: ClassVar[str] = "a source of the kind learning_curves makes such a table of your own"
    kind: Literal["curve_differences"] = "curve_differences"
    metrics: OneMetric = ("iqm",)
    algorithms: Algorithms | None = None
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
