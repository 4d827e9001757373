r"""What reporting the best of several trials would claim.

formula : The expected greatest of $k$ of $N$ scores drawn without replacement, $\sum_{t=k}^N x_t \binom{t-1}{k-1} /
    \binom{N}{k}$, with $x_1 \le \dots \le x_N$.
assumes : Each run drew its own hyperparameters, as tuning draws candidates.
guarantee : Unbiased for the expected greatest of $k$ fresh runs, whatever their distribution.
in a paper : We report the expected score of the best of [{candidates} trials].
not for : Describing an algorithm, which the best run overstates.
source : jordan2020, section 3
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """What reporting the best of several trials would claim."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["best_of_candidates"] = "best_of_candidates"
    candidates: Annotated[
        tuple[Annotated[int, Field(ge=1, le=1_000_000)], ...],
        Field(min_length=1, description="Numbers of trials; 1 is complete data collection."),
    ] = (1, 2, 5, 10)
