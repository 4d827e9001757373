"""The probability of each rank of each algorithm.

formula : The probability of rank $r$ if one run of each algorithm is drawn on a task drawn at random, with ties broken
    at random; counted exactly.
assumes : The given runs represent all runs.
guarantee : Exact for the given runs; nothing about other runs.
in a paper : We report the probability of each rank of each algorithm[ among {algorithms}], for one run of each on a
    task drawn at random[, estimated from {draws} draws].[ Scores are rounded to {decimals} decimals before they are
    compared.]
not for : Confidence that an algorithm is the best: a probability of rank 1 near 1/2 can come from equal algorithms or
    unequal ones.
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
    """The probability of each rank of each algorithm."""

    stage: ClassVar[str] = "estimate"
    pools_tasks: ClassVar[bool] = False
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
                description="How often one run of each algorithm is drawn, as the paper does; by default the "
                "probabilities are exact.",
            ),
        ]
        | None
    ) = None
