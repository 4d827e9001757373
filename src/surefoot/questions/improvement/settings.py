r"""The probability that a run of one algorithm beats one of another, with intervals.

formula : $P(X > Y) = \frac1M \sum_m P_m$ with $P_m$ the share of the pairs of a run of X and one of Y on task $m$ in
    which X scores more, and half the share of those in which both score the same; with percentile intervals of the
    stratified bootstrap.
assumes : Runs are independent of each other, within a task and across tasks.
guarantee : Asymptotic. With ten tasks and 95 %, the interval missed the truth in about 16 % of simulated data sets of 2
    runs, 10 % of 3, 9 % of 5 and 6 % of 10, where one algorithm wins one to three pairs of four; where it wins nearly
    all, more often.
interval : percentile intervals of the stratified bootstrap
in a paper : We report the probability that a run of one algorithm scores more than a run of another on the same task,
    averaged over tasks[, for {pairs}][, among {algorithms}], with {intervals}.[ Scores are rounded to {decimals}
    decimals before they are compared.]
not for : The size of an improvement: an algorithm that is always slightly better has probability 1. Few runs
    that all fall the same way: the interval then has no width.
source : agarwal2021, section 4.3; mann1947
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
    several_sets: ClassVar[bool] = True
    kind: Literal["improvement"] = "improvement"
    algorithms: Algorithms | None = None
    pairs: Pairs | None = None
    decimals: Decimals | None = None
    replicates: Replicates | None = None
