"""How probable each rank of each algorithm is."""

from typing import ClassVar, Literal

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
