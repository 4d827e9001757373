r"""How often intervals of game scores miss the truth, and how many pairs they separate, by number of runs.

formula : The share $\hat p$ of $D$ simulated data sets in which some interval of a method misses the score of the pool,
    with standard error $\sqrt{\hat p (1 - \hat p) / (D - 1)}$; the share of pairs of algorithms with disjoint
    intervals; and the mean width. The paper's failure rate takes each data set's scores as the truth for the others.
assumes : The pool of runs is the population; data sets are drawn from it with replacement, or cut from it.
guarantee : Exact up to simulation error, for populations like the pool.
in a paper : We count how often [{intervals}] of all scores of the game miss the truth, and which share of the pairs of
    algorithms they separate. There are [{datasets} data sets] each of [{sizes} runs of each algorithm in each
    environment], {design}.[ The interval methods are used {variants}.]
not for : Populations with failures too rare to be in the pool.
source : jordan2020, section 6.3 and appendix H
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import (
    EACH_ONCE,
    LARGEST_COUNT,
    UNIQUE,
    Count,
    Level,
    SeveralRuns,
    Variants,
    one_of,
)
from surefoot.questions.settings import BoundedQuestion
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

_Size = Annotated[int, Field(ge=2, le=1_000_000)]


class Settings(BoundedQuestion):
    """How often intervals of game scores miss the truth, and how many pairs they separate, by number of runs."""

    stage: ClassVar[str] = "cover"
    uses: ClassVar[tuple[str, ...]] = ("seed",)
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source", "block", "batch")
    kind: Literal["coverage"] = "coverage"
    source: Annotated[str, Field(description="Name of the source from whose runs the data sets are drawn.")] = "runs"
    methods: Annotated[
        tuple[Annotated[str, *one_of(INTERVAL_METHODS)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Methods of intervals for the aggregate scores; see game_intervals.",
        ),
    ] = ("pbp_matchings", "pbp", "pbp_t", "bootstrap")
    sizes: Annotated[
        tuple[_Size, ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            examples=["[10, 30, 100]"],
            description="Numbers of runs of each algorithm in each environment in one data set.",
        ),
    ]
    datasets: Annotated[
        SeveralRuns | tuple[_Size, ...],
        Field(description="Data sets of each size: one number for all sizes, or one for each."),
    ] = 100
    block: Annotated[
        Count,
        Field(description="How many data sets are kept as one entry of the store. Results do not depend on it."),
    ] = 20
    design: Annotated[
        Literal["resample", "cut"],
        Field(
            description="How data sets are made: resample draws each from the pool with replacement, so that the pool "
            "is the truth; cut takes consecutive pieces of the pool, each only once, the smallest sizes "
            "first."
        ),
    ] = "resample"
    confidence: Annotated[
        Level, Field(description="Simultaneous confidence level of all the intervals of a method.")
    ] = 0.95
    replicates: Annotated[int, Field(ge=2, le=LARGEST_COUNT, description="Replicates of each bootstrap.")] = 1000
    variants: Annotated[
        Variants,
        Field(
            description="The variants of game_intervals, one or both; a method that was never published has only the "
            "first.",
        ),
    ] = ("corrected",)
    batch: Annotated[
        Literal["size", "block"],
        Field(
            description="What one job computes: all data sets of a size or, for a cluster, as many blocks of them as "
            "take about ten minutes."
        ),
    ] = "size"

    def numbers_of_datasets(self) -> list[int]:
        """How many data sets there are of each size."""
        return [self.datasets] * len(self.sizes) if isinstance(self.datasets, int) else list(self.datasets)

    def runs_of_all_datasets(self) -> int:
        """How many runs it takes to cut all data sets."""
        return sum(size * number for size, number in zip(self.sizes, self.numbers_of_datasets(), strict=True))
