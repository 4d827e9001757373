"""The distribution of one algorithm in one environment, from samples of several sizes."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns, Sizes


class Settings(QuestionOfRuns):
    """The distribution of one algorithm in one environment, from samples of several sizes."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("seed", "confidence")
    kind: Literal["sample_distributions"] = "sample_distributions"
    algorithm: Annotated[str, Field(description="Name of the algorithm.")]
    environment: Annotated[str, Field(description="Name of the environment.")]
    sizes: Annotated[
        Sizes,
        Field(
            description="Numbers of runs to draw with replacement; those that are not below the number of all runs "
            "are left out."
        ),
    ]
