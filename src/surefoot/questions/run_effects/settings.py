"""What runs with the same number share across tasks.

formula : Kendall's $W$ of the ranks of $N$ runs over $M$ tasks: the inflation $M W$ is the variance of the runs' means
    divided by what independent tasks would give, and the correlation is $(M W - 1) / (M - 1)$.
assumes : Runs carry the same number on all tasks where they share anything.
guarantee : The test permutes runs within tasks and is exact, whatever the scores. The limits of the inflation are
    approximate.
not for : Effects that are too rare for the runs at hand to show.
source : iman1980; shrout1979
"""

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
