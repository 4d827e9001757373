r"""By how much each algorithm is better than each other one.

formula : $T(X) - T(Y) \mp q\, \sqrt{s_X^2 + s_Y^2}$, where $s$ are standard errors of the resampled metric and $q$ is
    the quantile of Student's distribution at $1 - (1 - \text{confidence}) / (2P)$ for $P$ pairs, with Welch's degrees
    of freedom.
assumes : Runs are independent of each other, within a task and across tasks.
guarantee : Together for all pairs of a metric (Bonferroni). In simulations close to its level from few runs on; no
    theorem.
not for : A median of few skewed runs, which is biased; runs that share a seed or luck across tasks.
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
