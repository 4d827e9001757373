"""The scores of the game along alpha-Rank's parameter."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the game along alpha-Rank's parameter."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["alpha_rank"] = "alpha_rank"
    alphas: Annotated[
        tuple[Annotated[float, Field(gt=0)], ...],
        Field(min_length=1, description="Values of alpha; its limit is always there."),
    ] = (1, 10, 100)
