r"""By how much each algorithm is better than each of the others.

formula : $T(X) - T(Y) \mp q\, \sqrt{a + b}$, where $a$ and $b$ are the squares of the standard errors of the metric
    of X and of Y as the interval [Student](#sec-interval-student) has them, $c$ times the replicates' standard
    deviation, and $q$ is the quantile of Student's distribution at $1 - \alpha / (2P)$ for $P$ pairs, with $(a + b)^2 /
    \left( \frac{a^2}{\nu_X + 2} + \frac{b^2}{\nu_Y + 2} \right) - 2$ degrees of freedom, at least the smaller of
    $\nu_X$ and $\nu_Y$.
assumes : Runs are independent of each other, within a task and across tasks.
guarantee : Together for all pairs of a metric (Bonferroni); no theorem. Of the IQM some difference is missed in 2 to
    8 % of simulated cases at 95 %, from two runs a task on. Of other metrics too, where scores are nearly normal; but
    in up to 30 % of the mean and 40 % of the median where a few runs fail or single tasks decide.
interval : simultaneous intervals by Student's distribution
in a paper : We report the difference in the {metrics} between each pair of algorithms[ among {algorithms}], with
    {intervals}.
not for : A mean or median of few runs that are skewed or sometimes fail: a remark beside the interval says so. Runs
    that share a seed or luck across tasks.
source : welch1947; schenker2001
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, Metrics, QuestionSettings, Replicates


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one, with intervals that hold together."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["pairwise_differences"] = "pairwise_differences"
    metrics: Metrics = ("iqm",)
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
