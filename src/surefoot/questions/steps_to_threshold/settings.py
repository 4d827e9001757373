r"""After how many steps runs reach a score, in each environment.

formula : The share of runs that have reached the score by step $t$, $1 - \prod_{t_i \le t} (1 - d_i / n_i)$, where
    $d_i$ of the $n_i$ runs still followed reach it at step $t_i$. Clopper and Pearson's lower limit is of the number of
    all runs that reached it by then, the upper one of these and of those that ended before. The median and its limits
    are the steps at which the share and its limits reach 1/2.
assumes : Runs are independent; the share and the median, not their limits, that runs end regardless of how soon they
    would reach the score.
guarantee : At least the stated confidence with any number of runs, for one step, or the median, of one algorithm in one
    environment. At 95 %, up to five runs give no limits of the median.
in a paper : We report after how many steps of training runs reach [a score of {threshold}], by Kaplan and Meier's
    estimate, with {intervals}.
not for : The mean steps of those that reached the score, which flatters an unreliable algorithm.
source : kaplan1958; clopper1934; brookmeyer1982
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
