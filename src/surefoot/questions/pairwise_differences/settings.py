r"""By how much each algorithm is better than each of the others.

formula : $T(X) - T(Y) \mp q\, \sqrt{a + b}$, where $a$ and $b$ are the squared standard errors $c^2 s^2$ of X and Y as
    in the interval [Student](#sec-interval-student), and $q$ is Student's quantile at $1 - \alpha / (2P)$ for $P$ pairs
    with $(a + b)^2 / \left( \frac{a^2}{\nu_X + 2} + \frac{b^2}{\nu_Y + 2} \right) - 2$ degrees of freedom, at least the
    smaller of the $\nu_X$ and $\nu_Y$ of those intervals. Where no run differs from another of its task, scores of 0
    and 1 have the limits of Clopper and Pearson for the success rate of each side, $\alpha / (4P)$ in each tail, and
    others have none.
assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
    tasks](#sec-question-run_effects), whole runs are.
guarantee : Of all pairs of a metric together (Bonferroni); no theorem. At 95 %, some difference of the IQM is missed in
    2 to 8 % of simulated cases, from two runs per task on; other metrics do as well if scores are nearly normal. Where
    a few runs fail or single tasks decide, some difference is missed in up to 30 % of cases for the mean, 40 % for the
    median and 50 % for the optimality gap.
interval : simultaneous intervals by Student's distribution
in a paper : We report the difference in the {metrics} between each pair of algorithms[ among {algorithms}], with
    {intervals}[, {shared_runs}].
not for : Other metrics than the IQM of few runs that are skewed or sometimes fail: a remark says so. Three runs that
    share luck across tasks, which may not show it.
source : welch1947; schenker2001; clopper1934
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, Metrics, QuestionSettings, Replicates, SharedRuns


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one, with intervals that hold together."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["pairwise_differences"] = "pairwise_differences"
    metrics: Metrics = ("iqm",)
    algorithms: Algorithms | None = None
    shared_runs: SharedRuns = "auto"
    replicates: Replicates | None = None
