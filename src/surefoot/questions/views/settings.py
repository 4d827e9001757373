"""The same runs by IQM and by probability of improvement, with bootstrap intervals.

formula : For each algorithm, the IQM on the scale `min_max` (1/2 in an environment where all scores are equal), and its
    probability of improvement, averaged over the others; percentile intervals of the bootstrap of runs.
assumes : Runs are independent, within a task and across tasks.
guarantee : Asymptotic: percentile intervals from few runs miss the truth too often.
interval : percentile intervals of the bootstrap
in a paper : We compare the same runs by their IQM and by their probability of improvement, with {intervals}.
not for : Choosing the view that favours an algorithm: decide beforehand.
source : jordan2020, section 4; agarwal2021, section 4.3
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import Count
from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The same runs by IQM and by probability of improvement, with bootstrap intervals."""

    stage: ClassVar[str] = "estimate"
    kind: Literal["views"] = "views"
    replicates: Annotated[Count, Field(description="Resamples behind the intervals.")] = 2000
