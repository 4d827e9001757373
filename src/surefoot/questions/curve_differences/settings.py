"""By how much an algorithm is better than another one along the training."""

from typing import ClassVar, Literal

from surefoot.questions.settings import Algorithms, OneMetric, QuestionSettings, Replicates


class Settings(QuestionSettings):
    """By how much each algorithm is better than each other one along the training, with bands that hold together."""

    stage: ClassVar[str] = "estimate"
    needs: ClassVar[str] = "curves"
    instead: ClassVar[str] = "a source of the kind learning_curves makes such a table of your own"
    kind: Literal["curve_differences"] = "curve_differences"
    metrics: OneMetric = ("iqm",)
    algorithms: Algorithms | None = None
    replicates: Replicates | None = None
