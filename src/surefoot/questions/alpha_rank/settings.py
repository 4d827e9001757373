r"""The scores of the game along alpha-Rank's parameter.

formula : A player moves from one strategy to another that pays it $d$ more with probability $\eta\,(1 - e^{-\alpha d})
    / (1 - e^{-\alpha p d})$, and $\eta / p$ where $d = 0$, for a population of $p = 50$ and $\eta = 1 / (n + nm - 2)$,
    of $n$ algorithms in $m$ environments. A score is an algorithm's mean payoff under the stationary distribution $q$
    of the other player's strategies: that of these moves alone, or with jumps to any strategy as `game_scores` has
    them, which is the limit of large $\alpha$.
assumes : Payoffs are taken as they were estimated.
guarantee : None: point values, which show whether ranks depend on the choice of the parameter.
in a paper : We compute the scores of the game along $\alpha$-Rank's parameter, for [the values {alphas}] and in its
    limit.
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
