"""By how much each algorithm is better than each other one."""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, Metrics, QuestionSettings, Replicates


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one, with intervals that hold together."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["pairwise_differences"] = "pairwise_differences"
    metrics: Metrics = ("iqm",)
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
