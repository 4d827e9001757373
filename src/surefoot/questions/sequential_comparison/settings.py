"""Two algorithms compared after every run."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import SeveralRuns
from surefoot.questions.settings import (
    Compared,
    Decimals,
    QuestionSettings,
    TasksIndependent,
)


class Settings(QuestionSettings):
    """Two algorithms compared after every run."""

    stage: ClassVar[str] = "cover"
    group: ClassVar[str] = "how_many_runs"
    kind: Literal["sequential_comparison"] = "sequential_comparison"
    compare: Compared
    tasks_independent: TasksIndependent = "auto"
    decimals: Decimals | None = None
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
