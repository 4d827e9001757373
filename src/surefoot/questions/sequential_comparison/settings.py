"""Two algorithms compared after every run."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Compared,
    Decimals,
    QuestionSettings,
    Replicates,
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
    replicates: Replicates = 300
