"""How probable each rank of each algorithm is."""

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
