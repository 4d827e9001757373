r"""By how much one algorithm is better than another over the course of training.

formula : $T_t(X) - T_t(Y) \mp \kappa\, q\, s_t$ at each step $t$, with the replicates' standard deviation $s_t$. Their
    largest distance from their mean, over all steps of all pairs, is at most $c$ of these for the wanted fraction
    of the replicates; $q$ is the quantile of Student's distribution at $\Phi(c)$, with $\sum_m (N_m - 1)$ degrees of
    freedom of the algorithm that has fewer (half of that for the IQM, the part $2 / M$ for the median, at least 1), and
    $\kappa^2$ the mean of $N_m / (N_m - 1)$, over the tasks with several runs.
assumes : Runs are independent of each other, within a task and across tasks; each is resampled whole, at all steps.
guarantee : Asymptotic, for all steps of all pairs together: with few runs, the bands may miss more often than they say.
interval : simultaneous bands by Student's distribution
in a paper : We report the difference in the {metrics} between each pair of algorithms[ among {algorithms}] along the
    training, with {intervals}.
not for : Where two curves cross for the first time: the band says where they differ, not when they began to.
source : montielolea2019
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, OneMetric, QuestionSettings, Replicates


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one along the training, with bands that hold together."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "curves"
    instead: ClassVar[str] = "a source of the kind learning_curves makes such a table of your own"
    kind: Literal["curve_differences"] = "curve_differences"
    metrics: OneMetric = ("iqm",)
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
