r"""After how many steps runs reach a score, in each environment.

formula : The share of runs that have reached the score by each step, $1 - \prod_{t_i \le t} (1 - d_i / n_i)$ with $d_i$
    of the $n_i$ runs still followed that reach it at step $t_i$; and the median, the step by which half have. Limits
    are Clopper and Pearson's as long as all runs are followed, then Greenwood's on the scale $\log(-\log)$.
assumes : Runs are independent, and when a run ends does not depend on how soon it would have reached the score.
guarantee : Exact limits as long as all runs are followed, for each algorithm in each environment alone; asymptotic
    afterwards.
in a paper : We report after how many steps of training runs reach [a score of {threshold}], by Kaplan and Meier's
    estimate, with {intervals}.
not for : Means of the steps of those runs that reached the score: leaving out the others flatters an unreliable
    algorithm.
source : kaplan1958; clopper1934
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, FiniteFloat

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """After how many steps runs reach a score, in each environment."""

    stage: ClassVar[str] = "estimate"
    more: ClassVar[tuple[str, ...]] = ("curves",)
    uses: ClassVar[tuple[str, ...]] = ("confidence",)
    takes: ClassVar[str] = "evaluations"
    kind: Literal["steps_to_threshold"] = "steps_to_threshold"
    source: Annotated[
        str, Field(description="Name of the table of evaluations that a source of learning curves makes.")
    ] = "runs_evaluations"
    threshold: Annotated[
        FiniteFloat | dict[str, FiniteFloat],
        Field(
            examples=["475, or {CartPole-v1: 475, Acrobot-v1: -100}"],
            description="The score that is to be reached, in the units of the curves: one, or one for each "
            "environment.",
        ),
    ]
