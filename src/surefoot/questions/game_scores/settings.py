r"""The scores of the two-player game, and the weight of each environment and opponent in them.

formula : $\sum_{j,k} q_{jk}\, z_{ijk}$, where $z_{ijk}$ is the share of pairs of a run of algorithm $i$ and one of $k$
    in environment $j$ in which the first scores at least as much; 1/2 against itself. One player picks an algorithm and
    is paid $z_{ijk}$; the other picks environment and opponent and is paid $-z_{ijk}$. The weights $q$ are the other
    player's marginal of the solution $d$ of $(I - \gamma C)^\top d = \frac{1-\gamma}{|S|} \mathbf 1$, with $\gamma = 1
    - 1/|S|$ and $|S| = n \cdot nm$; in $C$ a player moves to each better strategy with probability $\eta = 1 / (n + nm
    - 2)$, and to each equal one with $\eta / 50$.
assumes : Only the order of scores within an environment counts.
guarantee : None: point values, whose intervals `game_intervals` computes.
in a paper : We rank algorithms by their scores in a two-player game, in which one player picks an algorithm and the
    other an environment and an opponent.
not for : Comparing scores across papers: they depend on the other algorithms.
source : jordan2020, section 4 and appendix B; omidshafiei2019
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the two-player game, and the weight of each environment and opponent in them."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    more: ClassVar[tuple[str, ...]] = ("weights",)
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source", "scale")
    kind: Literal["game_scores"] = "game_scores"
    scale: Annotated[str, Field(description="Name of the scale of performance percentiles.")] = "performance_percentile"

    def inputs(self) -> dict[str, str]:
        return super().inputs() | {"normalized": f"scale:{self.scale}"}
