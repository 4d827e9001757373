r"""The probability that a run of one algorithm beats one of another, with intervals.

formula : $P(X > Y) = \frac1M \sum_m P_m$ with $P_m$ the share of the pairs of a run of X and one of Y on task $m$ in
    which X scores more, and half the share of those in which both score the same; with percentile intervals of the
    stratified bootstrap.
assumes : Runs are independent of each other, within a task and across tasks.
guarantee : Asymptotic: with few runs, the interval misses the truth too often; the notes of its answer in
    Python say where.
interval : percentile intervals of the stratified bootstrap
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
