r"""The distribution of one algorithm in one environment, from samples of several sizes.

formula : The empirical distribution function of $N$ runs, with the band $\mp \sqrt{\ln(2 / \delta) / (2 N)}$, cut at 0
    and 1.
assumes : Runs are independent.
guarantee : Theorem: each whole band holds for any distribution and any number of runs.
interval : bands of whole distributions (Dvoretzky, Kiefer and Wolfowitz)
in a paper : We show the distribution of the scores of {algorithm} in {environment}, from all runs and from samples of
    [{sizes} runs] drawn with replacement, with {intervals}.
not for : Comparing bands, each of which holds alone.
source : jordan2020, figure 4; dvoretzky1956; massart1990
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns, Sizes


class Settings(QuestionOfRuns):
    """The distribution of one algorithm in one environment, from samples of several sizes."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ("seed", "confidence")
    kind: Literal["sample_distributions"] = "sample_distributions"
    algorithm: Annotated[str, Field(description="Name of the algorithm.")]
    environment: Annotated[str, Field(description="Name of the environment.")]
    sizes: Annotated[
        Sizes,
        Field(
            description="Numbers of runs that are drawn with replacement; those that are not below the number of all "
            "runs are left out."
        ),
    ]
