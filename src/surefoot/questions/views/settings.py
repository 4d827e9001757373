"""The same runs seen through IQM and probability of improvement, with intervals by the bootstrap."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import Count
from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The same runs seen through IQM and probability of improvement, with intervals by the bootstrap."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["views"] = "views"
    replicates: Annotated[Count, Field(description="Resamples behind the intervals.")] = 2000
