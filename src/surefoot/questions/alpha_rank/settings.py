r"""The scores of the game as alpha-Rank's parameter varies.

formula : A player moves to a strategy that pays it $d$ more with probability $\eta\,(1 - e^{-\alpha d}) / (1 -
    e^{-\alpha p d})$, or $\eta / p$ if $d = 0$, where $\alpha$ is alpha-Rank's parameter, $p = 50$ and $\eta = 1 / (n +
    nm - 2)$. A score is the mean payoff under the stationary distribution of the other player's strategies, of these
    moves alone or with the jumps of [game scores](#sec-question-game_scores), the limit of large $\alpha$.
assumes : Payoffs are known; their error is left out.
guarantee : None: point values that show whether ranks depend on the parameter.
in a paper : We compute the scores of the game along $\alpha$-Rank's parameter, for [the values {alphas}] and in its
    limit.
not for : Quoting a score: `game_scores` has no such parameter.
source : omidshafiei2019; jordan2020, appendix B
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the game as alpha-Rank's parameter varies."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["alpha_rank"] = "alpha_rank"
    alphas: Annotated[
        tuple[Annotated[float, Field(gt=0)], ...],
        Field(min_length=1, description="Values of alpha; the limit is always included."),
    ] = (1, 10, 100)
