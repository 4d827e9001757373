"""What a report of the best of several trials would claim."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """What a report of the best of several trials would claim."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["best_of_candidates"] = "best_of_candidates"
    candidates: Annotated[
        tuple[Annotated[int, Field(ge=1, le=1_000_000)], ...],
        Field(min_length=1, description="Numbers of trials; 1 is complete data collection."),
    ] = (1, 2, 5, 10)
