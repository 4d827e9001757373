"""What runs with the same number share across tasks."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    OneSize,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """What runs with the same number share across tasks."""

    stage: ClassVar[str] = "estimate"
    looks_at_axes: ClassVar[bool] = False  # runs that share effects across tasks look like tasks
    kind: Literal["run_effects"] = "run_effects"
    sizes: OneSize = (10,)
    algorithms: Algorithms | None = None
