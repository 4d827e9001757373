"""After how many steps runs reach a score, in each environment."""

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
