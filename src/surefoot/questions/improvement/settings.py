"""The probability that a run of one algorithm beats one of another, with intervals."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Algorithms,
    Decimals,
    Pairs,
    QuestionSettings,
    Replicates,
)


class Settings(QuestionSettings):
    """The probability that a run of one algorithm beats one of another, with intervals."""

    stage: ClassVar[str] = "estimate"
    several_sets: ClassVar[bool] = True
    kind: Literal["improvement"] = "improvement"
    algorithms: Algorithms | None = None
    pairs: Pairs | None = None
    decimals: Decimals | None = None
    replicates: Replicates | None = None
