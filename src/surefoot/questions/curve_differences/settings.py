r"""By how much an algorithm is better than another one along the training.

formula : $T_t(X) - T_t(Y) \mp c\, s_t$ at each step $t$, where $c$ is the number of standard errors within which the
    wanted fraction of the replicates stays, at all steps of all pairs at once; enlarged for few runs as errors of
    Student's distribution are.
assumes : Runs are independent of each other, within a task and across tasks; each is resampled whole, at all steps.
guarantee : All steps of all pairs together, asymptotically; how close it comes with few runs is measured on the page
    on trust.
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
