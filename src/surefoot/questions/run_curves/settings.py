"""The learning curves of single runs in each environment, and their mean.

formula : The score of each run at its own steps, kept between evaluations, and the mean of an algorithm's runs where
    all have one.
assumes : Nothing.
guarantee : None: it describes the given runs.
in a paper : We show the learning curve of each run, and the mean of each algorithm's runs.
not for : Comparing algorithms: the mean has no interval.
source : jordan2020, section 5.2
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The learning curves of single runs in each environment, and their mean."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "evaluations"
    digits: ClassVar[int | None] = 10
    kind: Literal["run_curves"] = "run_curves"
    source: Annotated[
        str, Field(description="Name of the table of evaluations that a source of learning curves makes.")
    ] = "runs_evaluations"
    points: Annotated[
        int,
        Field(
            ge=100,
            le=1_000_000,
            description="About how many points all curves may have together, so that a page stays light. If that "
            "leaves a curve fewer than 10, only the first runs of each algorithm are drawn; the mean is "
            "that of all runs.",
        ),
    ] = 5000
