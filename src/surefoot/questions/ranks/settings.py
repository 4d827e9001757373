"""How probable each rank of each algorithm is.

formula : The probability of rank $r$ if one run of each algorithm is drawn on a task drawn at random, ties broken at
    random; computed by counting.
assumes : The given runs are representative of all runs.
guarantee : Exact for the given runs; says nothing about other runs.
in a paper : We report the probability of each rank of each algorithm[ among {algorithms}], for one run of each on a
    task drawn at random[, estimated from {draws} draws].[ Scores are rounded to {decimals} decimals before they are
    compared.]
not for : Confidence that an algorithm is the best: a probability of rank 1 near 1/2 can come from two equal algorithms
    and from two that differ.
source : agarwal2021, figures 11 and A.33
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import (
    Algorithms,
    Decimals,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """How probable each rank of each algorithm is."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["ranks"] = "ranks"
    algorithms: Algorithms | None = None
    decimals: Decimals | None = None
    draws: (
        Annotated[
            int,
            Field(
                ge=1,
                le=1_000_000_000,
                examples=["200000"],
                description="Draw one run of each algorithm so many times, as the paper does; without this key the "
                "probabilities are exact.",
            ),
        ]
        | None
    ) = None
