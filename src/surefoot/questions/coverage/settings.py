r"""How often intervals of the scores of the game miss the truth, and how many pairs they separate, by runs.

formula : The share of simulated data sets in which some interval of a method misses the truth, $\hat p$, with its
    standard error $\sqrt{\hat p (1 - \hat p) / (D - 1)}$ for $D$ data sets, where the truth is the score of the pool;
    beside it, the share of pairs of algorithms whose intervals are apart, and the mean width. The paper's failure rate
    takes each data set's scores for the truth of each other one.
assumes : The pool of runs is taken as the population: data sets are drawn from it with replacement, or cut from it.
guarantee : Exact up to the stated error of the simulation, for populations like the pool.
in a paper : We count how often [{intervals}] of all scores of the game miss the truth, and which share of the pairs of
    algorithms they separate. There are [{datasets} data sets] each of [{sizes} runs of each algorithm in each
    environment], {design}.[ The interval methods are used {variants}.]
not for : Populations that differ from the pool, such as one with rare failures that no run of the pilot has.
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
    """How often intervals of the scores of the game miss the truth, and how many pairs they separate, by runs."""

    stage: ClassVar[str] = "cover"
    uses: ClassVar[tuple[str, ...]] = ("seed",)
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source", "block", "batch")
    kind: Literal["coverage"] = "coverage"
    source: Annotated[str, Field(description="Name of the source whose runs the data sets are drawn from.")] = "runs"
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
        Field(description="Data sets of each size, one number for all or one for each."),
    ] = 100
    block: Annotated[
        Count,
        Field(
            description="Data sets of one entry of the store. It never changes a number, only what can be kept apart."
        ),
    ] = 20
    design: Annotated[
        Literal["resample", "cut"],
        Field(
            description="resample draws each data set from the pool with replacement, so that the pool is the truth; "
            "cut takes consecutive pieces of the pool, none of them twice, the smallest sizes first."
        ),
    ] = "resample"
    confidence: Annotated[
        Level, Field(description="Simultaneous confidence level of all the intervals of a method.")
    ] = 0.95
    replicates: Annotated[int, Field(ge=2, le=LARGEST_COUNT, description="Replicates of each bootstrap.")] = 1000
    variants: Annotated[
        Variants,
        Field(
            description="As the variant of game_intervals, one or both; a method that was never published has the "
            "first alone.",
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
