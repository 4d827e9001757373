r"""The probability that a run of one algorithm beats one of another, with intervals.

formula : $P(X > Y) = \frac1M \sum_m P_m$, where $P_m$ is the share of pairs of a run of X and one of Y on task $m$ in
    which X scores more, plus half the share of ties; percentile intervals of the stratified bootstrap.
assumes : Runs are independent, within a task and across tasks.
guarantee : Asymptotic. At 95 %, it missed in 14 to 25 % of simulated cases with 2 runs of ten tasks, in 5 to 13 % with
    5, and in up to 59 % on a single task.
interval : percentile intervals of the stratified bootstrap
in a paper : We report the probability that a run of one algorithm scores more than a run of another on the same task,
    averaged over tasks[, for {pairs}][, among {algorithms}], with {intervals}.[ Scores are rounded to {decimals}
    decimals before they are compared.]
not for : The size of an improvement: an algorithm that is always slightly better has probability 1. Few runs that all
    fall the same way, which give no width.
source : agarwal2021, section 4.3 and appendix A.7; mann1947
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Decimals,
    Pairs,
    QuestionSettings,
    Replicates,
)


class Settings(QuestionSettings):
    """The probability that a run of one algorithm beats one of another, with intervals."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
    several_sets: ClassVar[bool] = True
    kind: Literal["improvement"] = "improvement"
    algorithms: Algorithms | None = None
    pairs: Pairs | None = None
    decimals: Decimals | None = None
    replicates: Replicates | None = None
