r"""The scores of the game along alpha-Rank's parameter.

formula : A player moves from one strategy to another that pays it $d$ more with probability $\eta\,(1 - e^{-\alpha d})
    / (1 - e^{-\alpha p d})$ for a population of $p = 50$; scores are averages under the stationary distribution. The
    scores of the game are the limit of large $\alpha$, with small random jumps.
assumes : Payoffs are taken as they were estimated.
guarantee : None: point values, which show whether ranks depend on the choice of the parameter.
not for : Quoting a score: choose `game_scores`, which has no parameter to choose.
source : omidshafiei2019; jordan2020, appendix B
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the game along alpha-Rank's parameter."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["alpha_rank"] = "alpha_rank"
    alphas: Annotated[
        tuple[Annotated[float, Field(gt=0)], ...],
        Field(min_length=1, description="Values of alpha; its limit is always there."),
    ] = (1, 10, 100)
